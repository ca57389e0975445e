// Integers between the types and floats that are only stored, in bodies that run as tile code: as the loops compute them.
#m = affine_map<(d0) -> (d0)>

// call: @ints2 24xi2=[-2 1 -1 0 -1 -2 -1 -1 -2 -2 -1 -2 0 -1 1 -1 -1 0 -2 0 -1 0 0 1] 24xi2=[-2 -2 1 -1 -2 0 -2 0 0 -2 0 1 1 0 -1 -1 -1 1 0 -1 -1 0 0 -2]
// want: 24xi2=[0 -1 0 -1 1 -2 1 -1 -2 0 -1 -1 1 -1 0 -2 -2 1 -2 -1 -2 0 0 -1] 24xi2=[0 -2 -1 0 -2 0 -2 0 0 0 0 -2 0 0 -1 1 1 0 0 0 1 0 0 -2] 24xi2=[0 -2 0 -1 0 0 0 0 0 0 0 1 1 0 -2 0 0 1 0 -1 0 0 0 -2] 24xi2=[-2 1 1 0 -1 0 -1 0 0 -2 0 1 1 0 1 -1 -1 1 0 0 -1 0 0 1] 24xi2=[-2 1 1 0 -2 0 -2 0 0 -2 0 1 0 0 1 -1 -1 0 0 0 -1 0 0 1] 24xi1=[0 1 0 1 0 0 0 0 0 0 0 0 1 0 1 0 0 1 0 1 0 0 0 1] 24xi64=[4 3 2 1 5 2 5 3 2 4 3 1 -1 3 2 4 4 -1 2 1 4 0 0 3] 24xi2=[0 1 -2 -1 -1 -2 -1 1 -2 0 1 -1 1 1 -2 0 0 1 -2 -1 0 0 0 1] 24xf32=[-2.0 1.0 -1.0 0.0 -1.0 -2.0 -1.0 -1.0 -2.0 -2.0 -1.0 -2.0 0.0 -1.0 1.0 -1.0 -1.0 0.0 -2.0 0.0 -1.0 0.0 0.0 1.0] 24xf32=[2.0 1.0 3.0 0.0 3.0 2.0 3.0 3.0 2.0 2.0 3.0 2.0 0.0 3.0 1.0 3.0 3.0 0.0 2.0 0.0 3.0 0.0 0.0 1.0]
func.func @ints2(%a: tensor<24xi2>, %b: tensor<24xi2>) -> (tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi1>, tensor<24xi64>, tensor<24xi2>, tensor<24xf32>, tensor<24xf32>) {
  %ef32 = tensor.empty() : tensor<24xf32>
  %ei1 = tensor.empty() : tensor<24xi1>
  %ei2 = tensor.empty() : tensor<24xi2>
  %ei64 = tensor.empty() : tensor<24xi64>
  %r:10 = linalg.generic {indexing_maps = [#m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<24xi2>, tensor<24xi2>)
      outs(%ei2, %ei2, %ei2, %ei2, %ei2, %ei1, %ei64, %ei2, %ef32, %ef32 : tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi1>, tensor<24xi64>, tensor<24xi2>, tensor<24xf32>, tensor<24xf32>) {
  ^bb0(%x: i2, %y: i2, %o0: i2, %o1: i2, %o2: i2, %o3: i2, %o4: i2, %o5: i1, %o6: i64, %o7: i2, %o8: f32, %o9: f32):
    %ones = arith.constant -1 : i2
    %three = arith.constant 3 : i64
    %s = arith.addi %x, %y : i2
    %p = arith.muli %x, %y : i2
    %d = arith.xori %x, %y : i2
    %i = arith.xori %x, %ones : i2
    %l = arith.andi %d, %i : i2
    %m = arith.maxsi %x, %y : i2
    %mu = arith.minui %x, %y : i2
    %c = arith.cmpi ult, %x, %y : i2
    %zx = arith.extui %x : i2 to i64
    %sy = arith.extsi %y : i2 to i64
    %w = arith.subi %zx, %sy : i64
    %w3 = arith.muli %w, %three : i64
    %t = arith.trunci %w3 : i64 to i2
    %f = arith.sitofp %x : i2 to f32
    %g = arith.uitofp %x : i2 to f32
    linalg.yield %s, %p, %l, %m, %mu, %c, %w, %t, %f, %g : i2, i2, i2, i2, i2, i1, i64, i2, f32, f32
  } -> (tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi1>, tensor<24xi64>, tensor<24xi2>, tensor<24xf32>, tensor<24xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9 : tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi2>, tensor<24xi1>, tensor<24xi64>, tensor<24xi2>, tensor<24xf32>, tensor<24xf32>
}

// call: @ints4 24xi4=[-8 7 -1 0 0 -1 -3 0 3 -4 3 -1 -1 2 -3 2 4 5 -1 3 -8 -2 -6 -6] 24xi4=[-8 -8 7 -1 -5 3 -1 -1 -2 6 4 0 5 6 2 -2 2 4 1 5 4 -3 -7 -7]
// want: 24xi4=[0 -1 6 -1 -5 2 -4 -1 1 2 7 -1 4 -8 -1 0 6 -7 0 -8 -4 -5 3 3] 24xi4=[0 -8 -7 0 0 -3 3 0 -6 -8 -4 0 -5 -4 -6 -4 -8 4 -1 -1 0 6 -6 -6] 24xi4=[0 -8 0 -1 -5 0 2 -1 -4 2 4 0 0 4 2 -4 2 0 0 4 4 1 1 1] 24xi4=[-8 7 7 0 0 3 -1 0 3 6 4 0 5 6 2 2 4 5 1 5 4 -2 -6 -6] 24xi4=[-8 7 7 0 0 3 -3 0 3 6 3 0 5 2 2 2 2 4 1 3 4 -3 -7 -7] 24xi1=[0 1 0 1 1 0 1 1 1 0 1 0 0 1 0 1 0 0 0 1 0 0 0 0] 24xi64=[16 15 8 1 5 12 14 1 5 6 -1 15 10 -4 11 4 2 1 14 -2 4 17 17 17] 24xi4=[0 -3 -8 3 -1 4 -6 3 -1 2 -3 -3 -2 4 1 -4 6 3 -6 -6 -4 3 3 3] 24xf32=[-8.0 7.0 -1.0 0.0 0.0 -1.0 -3.0 0.0 3.0 -4.0 3.0 -1.0 -1.0 2.0 -3.0 2.0 4.0 5.0 -1.0 3.0 -8.0 -2.0 -6.0 -6.0] 24xf32=[8.0 7.0 15.0 0.0 0.0 15.0 13.0 0.0 3.0 12.0 3.0 15.0 15.0 2.0 13.0 2.0 4.0 5.0 15.0 3.0 8.0 14.0 10.0 10.0]
func.func @ints4(%a: tensor<24xi4>, %b: tensor<24xi4>) -> (tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi1>, tensor<24xi64>, tensor<24xi4>, tensor<24xf32>, tensor<24xf32>) {
  %ef32 = tensor.empty() : tensor<24xf32>
  %ei1 = tensor.empty() : tensor<24xi1>
  %ei4 = tensor.empty() : tensor<24xi4>
  %ei64 = tensor.empty() : tensor<24xi64>
  %r:10 = linalg.generic {indexing_maps = [#m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<24xi4>, tensor<24xi4>)
      outs(%ei4, %ei4, %ei4, %ei4, %ei4, %ei1, %ei64, %ei4, %ef32, %ef32 : tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi1>, tensor<24xi64>, tensor<24xi4>, tensor<24xf32>, tensor<24xf32>) {
  ^bb0(%x: i4, %y: i4, %o0: i4, %o1: i4, %o2: i4, %o3: i4, %o4: i4, %o5: i1, %o6: i64, %o7: i4, %o8: f32, %o9: f32):
    %ones = arith.constant -1 : i4
    %three = arith.constant 3 : i64
    %s = arith.addi %x, %y : i4
    %p = arith.muli %x, %y : i4
    %d = arith.xori %x, %y : i4
    %i = arith.xori %x, %ones : i4
    %l = arith.andi %d, %i : i4
    %m = arith.maxsi %x, %y : i4
    %mu = arith.minui %x, %y : i4
    %c = arith.cmpi ult, %x, %y : i4
    %zx = arith.extui %x : i4 to i64
    %sy = arith.extsi %y : i4 to i64
    %w = arith.subi %zx, %sy : i64
    %w3 = arith.muli %w, %three : i64
    %t = arith.trunci %w3 : i64 to i4
    %f = arith.sitofp %x : i4 to f32
    %g = arith.uitofp %x : i4 to f32
    linalg.yield %s, %p, %l, %m, %mu, %c, %w, %t, %f, %g : i4, i4, i4, i4, i4, i1, i64, i4, f32, f32
  } -> (tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi1>, tensor<24xi64>, tensor<24xi4>, tensor<24xf32>, tensor<24xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9 : tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi4>, tensor<24xi1>, tensor<24xi64>, tensor<24xi4>, tensor<24xf32>, tensor<24xf32>
}

// call: @ints7 24xi7=[-64 63 -1 0 43 8 39 45 -24 39 61 -39 40 23 61 60 -38 22 7 32 -4 -8 2 -7] 24xi7=[-64 -64 63 -1 2 -58 -28 53 46 48 -54 -21 1 57 5 -38 23 -49 -6 -6 25 15 -32 31]
// want: 24xi7=[0 -1 62 -1 45 -50 11 -30 22 -41 7 -60 41 -48 -62 22 -15 -27 1 26 21 7 -30 24] 24xi7=[0 -64 -63 0 -42 48 60 -47 48 -48 34 51 40 31 49 24 22 -54 -42 -64 28 8 -64 39] 24xi7=[0 -64 0 -1 0 -58 -64 16 6 16 -62 34 1 40 0 -62 5 -55 -8 -38 1 7 -32 6] 24xi7=[-64 63 63 0 43 8 39 53 46 48 61 -21 40 57 61 60 23 22 7 32 25 15 2 31] 24xi7=[-64 63 63 0 2 8 39 45 46 39 61 -39 1 23 5 60 23 22 7 32 25 15 2 31] 24xi1=[0 1 0 1 0 1 1 1 0 1 1 1 0 1 0 1 0 1 1 1 0 0 1 0] 24xi64=[128 127 64 1 41 66 67 -8 58 -9 115 110 39 -34 56 98 67 71 13 38 99 105 34 90] 24xi7=[0 -3 -64 3 -5 -58 -55 -24 46 -27 -39 -54 -11 26 40 38 -55 -43 39 -14 41 59 -26 14] 24xf32=[-64.0 63.0 -1.0 0.0 43.0 8.0 39.0 45.0 -24.0 39.0 61.0 -39.0 40.0 23.0 61.0 60.0 -38.0 22.0 7.0 32.0 -4.0 -8.0 2.0 -7.0] 24xf32=[64.0 63.0 127.0 0.0 43.0 8.0 39.0 45.0 104.0 39.0 61.0 89.0 40.0 23.0 61.0 60.0 90.0 22.0 7.0 32.0 124.0 120.0 2.0 121.0]
func.func @ints7(%a: tensor<24xi7>, %b: tensor<24xi7>) -> (tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi1>, tensor<24xi64>, tensor<24xi7>, tensor<24xf32>, tensor<24xf32>) {
  %ef32 = tensor.empty() : tensor<24xf32>
  %ei1 = tensor.empty() : tensor<24xi1>
  %ei64 = tensor.empty() : tensor<24xi64>
  %ei7 = tensor.empty() : tensor<24xi7>
  %r:10 = linalg.generic {indexing_maps = [#m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<24xi7>, tensor<24xi7>)
      outs(%ei7, %ei7, %ei7, %ei7, %ei7, %ei1, %ei64, %ei7, %ef32, %ef32 : tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi1>, tensor<24xi64>, tensor<24xi7>, tensor<24xf32>, tensor<24xf32>) {
  ^bb0(%x: i7, %y: i7, %o0: i7, %o1: i7, %o2: i7, %o3: i7, %o4: i7, %o5: i1, %o6: i64, %o7: i7, %o8: f32, %o9: f32):
    %ones = arith.constant -1 : i7
    %three = arith.constant 3 : i64
    %s = arith.addi %x, %y : i7
    %p = arith.muli %x, %y : i7
    %d = arith.xori %x, %y : i7
    %i = arith.xori %x, %ones : i7
    %l = arith.andi %d, %i : i7
    %m = arith.maxsi %x, %y : i7
    %mu = arith.minui %x, %y : i7
    %c = arith.cmpi ult, %x, %y : i7
    %zx = arith.extui %x : i7 to i64
    %sy = arith.extsi %y : i7 to i64
    %w = arith.subi %zx, %sy : i64
    %w3 = arith.muli %w, %three : i64
    %t = arith.trunci %w3 : i64 to i7
    %f = arith.sitofp %x : i7 to f32
    %g = arith.uitofp %x : i7 to f32
    linalg.yield %s, %p, %l, %m, %mu, %c, %w, %t, %f, %g : i7, i7, i7, i7, i7, i1, i64, i7, f32, f32
  } -> (tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi1>, tensor<24xi64>, tensor<24xi7>, tensor<24xf32>, tensor<24xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9 : tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi7>, tensor<24xi1>, tensor<24xi64>, tensor<24xi7>, tensor<24xf32>, tensor<24xf32>
}

// call: @ints24 24xi24=[-8388608 8388607 -1 0 5777768 -8178960 5952442 -1800010 -7974181 4209302 -3764757 7765330 1812826 -6882629 -4221181 -3674426 -3401972 6162224 -2353939 4963771 614575 7264143 -909323 -363370] 24xi24=[-8388608 -8388608 8388607 -1 -6529231 6083846 -1374269 2486310 5703574 4625082 -1271753 -4989432 -7631217 1544734 5242047 -5268620 5315021 5136698 2977582 -3376019 1311915 -6261161 2497591 -4678578]
// want: 24xi24=[0 -1 8388606 -1 -751463 -2095114 4578173 686300 -2270607 -7942832 -5036510 2775898 -5818391 -5337895 1020866 7834170 1913049 -5478294 623643 1587752 1926490 1002982 1588268 -5041948] 24xi24=[0 -8388608 -8388607 0 -6454040 -4922976 -4760402 6613764 6654290 1580284 -7338627 -4782448 4293958 8194026 -8020163 -8121416 8036508 -5844768 4687254 2776223 7491813 6761369 -1988189 2813364] 24xi24=[0 -8388608 0 -1 -8104431 6079750 -6224831 94208 5309700 426024 2625556 -8289784 -8386939 65540 4221116 2625840 1116353 24586 2190082 -8110012 1311744 -8380336 262146 34888] 24xi24=[-8388608 8388607 8388607 0 5777768 6083846 5952442 2486310 5703574 4625082 -1271753 7765330 1812826 1544734 5242047 -3674426 5315021 6162224 2977582 4963771 1311915 7264143 2497591 -363370] 24xi24=[-8388608 8388607 8388607 0 5777768 6083846 5952442 2486310 5703574 4209302 -3764757 7765330 1812826 1544734 5242047 -5268620 5315021 5136698 2977582 4963771 614575 7264143 2497591 -4678578] 24xi1=[0 1 0 1 1 0 1 0 0 1 1 1 1 0 0 0 0 0 0 1 1 1 0 0] 24xi64=[16777216 16777215 8388608 1 12306999 2514410 7326711 12490896 3099461 -415780 14284212 12754762 9444043 8349853 7313988 18371410 8060223 1025526 11445695 8339790 -697340 13525304 13370302 21092424] 24xi24=[0 -3 -8388608 3 3366565 7543230 5202917 3918256 -7478833 -1247340 -7479012 4709854 -5222303 8272343 5164748 4782582 7403453 3076578 782653 8242154 -2092020 7021480 6556474 -3831592] 24xf32=[-8388608.0 8388607.0 -1.0 0.0 5777768.0 -8178960.0 5952442.0 -1800010.0 -7974181.0 4209302.0 -3764757.0 7765330.0 1812826.0 -6882629.0 -4221181.0 -3674426.0 -3401972.0 6162224.0 -2353939.0 4963771.0 614575.0 7264143.0 -909323.0 -363370.0] 24xf32=[8388608.0 8388607.0 16777215.0 0.0 5777768.0 8598256.0 5952442.0 14977206.0 8803035.0 4209302.0 13012459.0 7765330.0 1812826.0 9894587.0 12556035.0 13102790.0 13375244.0 6162224.0 14423277.0 4963771.0 614575.0 7264143.0 15867893.0 16413846.0]
func.func @ints24(%a: tensor<24xi24>, %b: tensor<24xi24>) -> (tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi1>, tensor<24xi64>, tensor<24xi24>, tensor<24xf32>, tensor<24xf32>) {
  %ef32 = tensor.empty() : tensor<24xf32>
  %ei1 = tensor.empty() : tensor<24xi1>
  %ei24 = tensor.empty() : tensor<24xi24>
  %ei64 = tensor.empty() : tensor<24xi64>
  %r:10 = linalg.generic {indexing_maps = [#m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<24xi24>, tensor<24xi24>)
      outs(%ei24, %ei24, %ei24, %ei24, %ei24, %ei1, %ei64, %ei24, %ef32, %ef32 : tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi1>, tensor<24xi64>, tensor<24xi24>, tensor<24xf32>, tensor<24xf32>) {
  ^bb0(%x: i24, %y: i24, %o0: i24, %o1: i24, %o2: i24, %o3: i24, %o4: i24, %o5: i1, %o6: i64, %o7: i24, %o8: f32, %o9: f32):
    %ones = arith.constant -1 : i24
    %three = arith.constant 3 : i64
    %s = arith.addi %x, %y : i24
    %p = arith.muli %x, %y : i24
    %d = arith.xori %x, %y : i24
    %i = arith.xori %x, %ones : i24
    %l = arith.andi %d, %i : i24
    %m = arith.maxsi %x, %y : i24
    %mu = arith.minui %x, %y : i24
    %c = arith.cmpi ult, %x, %y : i24
    %zx = arith.extui %x : i24 to i64
    %sy = arith.extsi %y : i24 to i64
    %w = arith.subi %zx, %sy : i64
    %w3 = arith.muli %w, %three : i64
    %t = arith.trunci %w3 : i64 to i24
    %f = arith.sitofp %x : i24 to f32
    %g = arith.uitofp %x : i24 to f32
    linalg.yield %s, %p, %l, %m, %mu, %c, %w, %t, %f, %g : i24, i24, i24, i24, i24, i1, i64, i24, f32, f32
  } -> (tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi1>, tensor<24xi64>, tensor<24xi24>, tensor<24xf32>, tensor<24xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9 : tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi24>, tensor<24xi1>, tensor<24xi64>, tensor<24xi24>, tensor<24xf32>, tensor<24xf32>
}

// call: @ints48 24xi48=[-140737488355328 140737488355327 -1 0 -112403646230528 -21502609753985 8956750087943 -73026309580935 96781049120511 70428127664720 -98245419829306 40988684339476 -5896750836676 -101799675329206 -55830139344136 94066198591792 58282012265790 -5265069103198 -122708368139247 37374589796286 -29134350591735 116482897542754 47515681170626 104988046983744] 24xi48=[-140737488355328 -140737488355328 140737488355327 -1 -106845904429303 47652027579197 -134488413986341 -11220801605043 -87585171440394 89424352302935 77135375140524 132316307420486 -27623495385541 31680308015353 -50086289400078 -131799711286794 50495757909614 -17692572465499 -37209452078952 50699247717185 138444358661548 -136467121299982 -127196392692434 -139939194007611]
// want: 24xi48=[0 -1 140737488355326 -1 62225426050825 26149417825212 -125531663898398 -84247111185978 9195877680117 -121622496743001 -21110044688782 -108169984950694 -33520246222217 -70119367313853 -105916428744214 -37733512695002 108777770175404 -22957641568697 121557156492457 88073837513471 109310008069813 -19984223757228 -79680711521808 -34951147023867] 24xi48=[0 -140737488355328 -140737488355327 0 -53717373366272 -109863875773629 62558520027645 -16701035269787 115883337399562 -38706021261008 30578721561864 -56142448681096 -135686792187436 -40370536250118 55838678330992 -109405912521696 -93888618187612 -35291595155606 -134655576391144 17411926792510 23405735325452 -10453325344092 -26514174040868 -88317783803072] 24xi48=[0 -140737488355328 0 -1 6674433838857 3325683041024 -134644673306408 70687647145988 -105199235352576 19035970389255 70377501917224 96825742734402 4674553653763 31404884783281 20076296344578 -131801791807290 9810260275776 5259195891717 85797417091208 15393238417473 26843924145316 -138529807793776 -136061339418324 -140181021651579] 24xi48=[-140737488355328 140737488355327 140737488355327 0 -106845904429303 47652027579197 8956750087943 -11220801605043 96781049120511 89424352302935 77135375140524 132316307420486 -5896750836676 31680308015353 -50086289400078 94066198591792 58282012265790 -5265069103198 -37209452078952 50699247717185 138444358661548 116482897542754 47515681170626 104988046983744] 24xi48=[-140737488355328 140737488355327 140737488355327 0 -112403646230528 47652027579197 8956750087943 -73026309580935 96781049120511 70428127664720 77135375140524 40988684339476 -27623495385541 31680308015353 -55830139344136 94066198591792 50495757909614 -17692572465499 -122708368139247 37374589796286 138444358661548 116482897542754 47515681170626 104988046983744] 24xi1=[0 1 0 1 1 0 1 1 1 1 0 1 0 0 1 1 0 0 1 1 0 1 1 1] 24xi64=[281474976710656 281474976710655 140737488355328 1 275917234909431 212320339377474 143445164074284 219669468734764 184366220560905 -18996224638215 106094181740826 -91327623081010 303201721259521 147994993366097 275731126766598 225865909878586 7786254356176 293902480072957 195976060650361 -13324657920899 113896267457373 252950018842736 174712073863060 244927240991355] 24xi48=[0 -3 -140737488355328 3 -16673225403675 74011064711110 -132614461198460 96058452782980 -9851291738597 -56988673914645 36807568511822 7492107467626 65180233646595 -118964973323021 -17231549832174 114647776214446 23358763068528 37282510086903 24978228529771 -39973973762697 60213825661463 -85574873603760 -38813731832132 -109643207157903] 24xf32=[-140737488355328.0 140737488355328.0 -1.0 0.0 -112403647823872.0 -21502609063936.0 8956750594048.0 -73026305523712.0 96781048217600.0 70428127133696.0 -98245422350336.0 40988684845056.0 -5896751022080.0 -101799675559936.0 -55830137274368.0 94066201067520.0 58282014146560.0 -5265068916736.0 -122708364886016.0 37374591500288.0 -29134350712832.0 116482893676544.0 47515680374784.0 104988042854400.0] 24xf32=[140737488355328.0 140737488355328.0 281474976710656.0 0.0 169071337275392.0 259972373938176.0 8956750594048.0 208448671186944.0 96781048217600.0 70428127133696.0 183229562748928.0 40988684845056.0 275578221494272.0 179675309539328.0 225644831047680.0 94066201067520.0 58282014146560.0 276209900453888.0 158766603436032.0 37374591500288.0 252340619706368.0 116482893676544.0 47515680374784.0 104988042854400.0]
func.func @ints48(%a: tensor<24xi48>, %b: tensor<24xi48>) -> (tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi1>, tensor<24xi64>, tensor<24xi48>, tensor<24xf32>, tensor<24xf32>) {
  %ef32 = tensor.empty() : tensor<24xf32>
  %ei1 = tensor.empty() : tensor<24xi1>
  %ei48 = tensor.empty() : tensor<24xi48>
  %ei64 = tensor.empty() : tensor<24xi64>
  %r:10 = linalg.generic {indexing_maps = [#m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<24xi48>, tensor<24xi48>)
      outs(%ei48, %ei48, %ei48, %ei48, %ei48, %ei1, %ei64, %ei48, %ef32, %ef32 : tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi1>, tensor<24xi64>, tensor<24xi48>, tensor<24xf32>, tensor<24xf32>) {
  ^bb0(%x: i48, %y: i48, %o0: i48, %o1: i48, %o2: i48, %o3: i48, %o4: i48, %o5: i1, %o6: i64, %o7: i48, %o8: f32, %o9: f32):
    %ones = arith.constant -1 : i48
    %three = arith.constant 3 : i64
    %s = arith.addi %x, %y : i48
    %p = arith.muli %x, %y : i48
    %d = arith.xori %x, %y : i48
    %i = arith.xori %x, %ones : i48
    %l = arith.andi %d, %i : i48
    %m = arith.maxsi %x, %y : i48
    %mu = arith.minui %x, %y : i48
    %c = arith.cmpi ult, %x, %y : i48
    %zx = arith.extui %x : i48 to i64
    %sy = arith.extsi %y : i48 to i64
    %w = arith.subi %zx, %sy : i64
    %w3 = arith.muli %w, %three : i64
    %t = arith.trunci %w3 : i64 to i48
    %f = arith.sitofp %x : i48 to f32
    %g = arith.uitofp %x : i48 to f32
    linalg.yield %s, %p, %l, %m, %mu, %c, %w, %t, %f, %g : i48, i48, i48, i48, i48, i1, i64, i48, f32, f32
  } -> (tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi1>, tensor<24xi64>, tensor<24xi48>, tensor<24xf32>, tensor<24xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9 : tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi48>, tensor<24xi1>, tensor<24xi64>, tensor<24xi48>, tensor<24xf32>, tensor<24xf32>
}

// Dequantised: bytes that are floats, times a scale, and back.
// call: @small 6xf8E4M3FN=[1.5 -448 0.001953125 240 -0.0 nan] 6xf8E5M2=[2 57344 -1.5 inf 0.25 -0.0]
// want: 6xf32=[3.75 -1120 0.0048828125 600 -0.0 nan] 6xf8E4M3FN=[2 nan -1.5 nan 0.25 -0.0]
func.func @small(%a: tensor<6xf8E4M3FN>, %b: tensor<6xf8E5M2>) -> (tensor<6xf32>, tensor<6xf8E4M3FN>) {
  %e = tensor.empty() : tensor<6xf32>
  %g = tensor.empty() : tensor<6xf8E4M3FN>
  %r:2 = linalg.generic {indexing_maps = [#m, #m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<6xf8E4M3FN>, tensor<6xf8E5M2>)
      outs(%e, %g : tensor<6xf32>, tensor<6xf8E4M3FN>) {
  ^bb0(%x: f8E4M3FN, %y: f8E5M2, %o0: f32, %o1: f8E4M3FN):
    %scale = arith.constant 2.5 : f32
    %w = arith.extf %x : f8E4M3FN to f32
    %s = arith.mulf %w, %scale : f32
    %v = arith.extf %y : f8E5M2 to f32
    %t = arith.truncf %v : f32 to f8E4M3FN
    linalg.yield %s, %t : f32, f8E4M3FN
  } -> (tensor<6xf32>, tensor<6xf8E4M3FN>)
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf8E4M3FN>
}

// Nibbles in products and sums: bytes in front of the kernel.
// call: @product 3x5xi4=[[7 -8 3 -1 -5][6 2 -3 -8 7][-7 1 -4 5 -2]] 5x4xi4=[[1 -1 7 -8][0 -6 -7 3][-8 -8 2 5][4 -3 -2 6][-5 7 -4 1]] 3x4xi32=[[2147483647 1 2 3][4 5 6 7][-2147483648 8 9 10]]
// want: 3x4xi32=[[-2147483645 -14 135 -73][-33 84 16 -91][-2147483593 12 -57 77]] 3xi32=[44 36 41]
func.func @product(%a: tensor<3x5xi4>, %b: tensor<5x4xi4>, %c: tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<3xi32>) {
  %r = linalg.matmul ins(%a, %b : tensor<3x5xi4>, tensor<5x4xi4>) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<3x5xi4>) outs(%z : tensor<3xi32>) {
  ^bb0(%x: i4, %t: i32):
    %w = arith.extui %x : i4 to i32
    %y = arith.addi %t, %w : i32
    linalg.yield %y : i32
  } -> tensor<3xi32>
  return %r, %s : tensor<3x4xi32>, tensor<3xi32>
}
