// Named contractions; i8 operands, i16 results that wrap. Values from a loop-order evaluation of each op's definition.

// call: @matmul 2x3xi8=[76 -60 -123 93 -82 33] 3x2xi8=[122 122 52 63 -100 -58] 2x2xi16=[5862 -12962 5273 -3855]
// want: 2x2xi16=[[24314 -336][9055 411]]
func.func @matmul(%a0: tensor<2x3xi8>, %a1: tensor<3x2xi8>, %o: tensor<2x2xi16>) -> tensor<2x2xi16> {
  %0 = linalg.matmul ins(%a0, %a1 : tensor<2x3xi8>, tensor<3x2xi8>) outs(%o : tensor<2x2xi16>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}

// call: @matmul_unsigned 2x3xi8=[6 -96 -8 2 17 -60] 3x2xi8=[-8 62 104 71 -37 -61] 2x2xi16=[-30319 12006 -21595 -28057]
// want: 2x2xi16=[[-23415 6562][23593 11494]]
func.func @matmul_unsigned(%a0: tensor<2x3xi8>, %a1: tensor<3x2xi8>, %o: tensor<2x2xi16>) -> tensor<2x2xi16> {
  %0 = linalg.matmul_unsigned ins(%a0, %a1 : tensor<2x3xi8>, tensor<3x2xi8>) outs(%o : tensor<2x2xi16>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}

// call: @matmul_transpose_a 3x2xi8=[-82 -65 104 -6 71 108] 3x2xi8=[117 37 -73 -113 68 -101] 2x2xi16=[-13003 23505 -3528 -17554]
// want: 2x2xi16=[[-25361 1548][-3351 -30189]]
func.func @matmul_transpose_a(%a0: tensor<3x2xi8>, %a1: tensor<3x2xi8>, %o: tensor<2x2xi16>) -> tensor<2x2xi16> {
  %0 = linalg.matmul_transpose_a ins(%a0, %a1 : tensor<3x2xi8>, tensor<3x2xi8>) outs(%o : tensor<2x2xi16>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}

// call: @matmul_transpose_b 2x3xi8=[-86 123 -20 -57 64 53] 2x3xi8=[-8 20 42 50 69 65] 2x2xi16=[-14887 14196 6017 24037]
// want: 2x2xi16=[[-12579 17083][9979 29048]]
func.func @matmul_transpose_b(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x2xi16>) -> tensor<2x2xi16> {
  %0 = linalg.matmul_transpose_b ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x2xi16>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}

// call: @quantized_matmul 2x3xi8=[57 -110 -18 -36 74 -96] 3x2xi8=[-79 -110 -112 -33 -25 -28] i8=-108 i8=122 2x2xi16=[30276 12912 -32711 23198]
// want: 2x2xi16=[[-15651 26978][-25999 -23516]]
func.func @quantized_matmul(%a0: tensor<2x3xi8>, %a1: tensor<3x2xi8>, %a2: i8, %a3: i8, %o: tensor<2x2xi16>) -> tensor<2x2xi16> {
  %0 = linalg.quantized_matmul ins(%a0, %a1, %a2, %a3 : tensor<2x3xi8>, tensor<3x2xi8>, i8, i8) outs(%o : tensor<2x2xi16>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}

// call: @mmt4d 2x3x2x2xi8=[112 25 91 37 110 108 -77 -30 -49 -47 -92 63 69 112 -51 2 -72 14 -46 18 -8 -112 118 -112] 2x3x2x2xi8=[48 60 33 -98 -117 105 113 -49 -68 38 21 104 -6 -45 -111 -26 -116 -10 -88 77 58 31 -34 111] 2x2x2x2xi16=[14609 4344 -24003 28578 -11357 -1241 -9746 -5405 -27012 23677 2714 -31946 27776 -24791 26612 20993]
// want: 2x2x2x2xi16=[[[[21501 6811][-2906 25344]][[-31293 -19238][-6108 -1881]]][[[-10798 -5660][-4622 16461]][[26598 25428][-30180 15592]]]]
func.func @mmt4d(%a0: tensor<2x3x2x2xi8>, %a1: tensor<2x3x2x2xi8>, %o: tensor<2x2x2x2xi16>) -> tensor<2x2x2x2xi16> {
  %0 = linalg.mmt4d ins(%a0, %a1 : tensor<2x3x2x2xi8>, tensor<2x3x2x2xi8>) outs(%o : tensor<2x2x2x2xi16>) -> tensor<2x2x2x2xi16>
  return %0 : tensor<2x2x2x2xi16>
}

// call: @batch_mmt4d 2x2x3x2x2xi8=[-42 -105 -111 51 -80 -92 -7 123 -81 113 -101 -4 -103 126 75 -98 -104 2 80 100 28 -102 -109 -29 -37 78 -32 -9 -85 32 -73 -84 -46 -90 -19 -120 97 55 121 88 64 -61 -122 29 101 -14 -69 -57] 2x2x3x2x2xi8=[31 119 -84 6 78 32 -61 -62 -87 113 -3 -85 91 -3 13 -97 124 -1 -104 -26 18 63 -78 -92 87 32 66 -128 18 -61 -114 98 -55 -119 -104 90 9 -74 67 -62 36 -95 28 -42 -58 6 126 37] 2x2x2x2x2xi16=[4655 -28307 -24442 -29113 -29168 -16822 -26132 -15714 14044 24373 1070 -30590 -2478 23449 -16342 14733 -6399 10534 14187 -31137 -11365 -11382 -20278 2380 -10330 -13890 25718 24190 23521 -17275 10942 8791]
// want: 2x2x2x2x2xi16=[[[[[1490 -24187][-10089 -26039]][[28694 -549][26089 -16328]]][[[3835 -16949][7379 19770]][[-31049 27852][-3192 25464]]]][[[[2636 7618][30250 24705]][[-21442 -31547][-14166 -4556]]][[[853 25970][-19862 -25828]][[22481 2376][2032 -3995]]]]]
func.func @batch_mmt4d(%a0: tensor<2x2x3x2x2xi8>, %a1: tensor<2x2x3x2x2xi8>, %o: tensor<2x2x2x2x2xi16>) -> tensor<2x2x2x2x2xi16> {
  %0 = linalg.batch_mmt4d ins(%a0, %a1 : tensor<2x2x3x2x2xi8>, tensor<2x2x3x2x2xi8>) outs(%o : tensor<2x2x2x2x2xi16>) -> tensor<2x2x2x2x2xi16>
  return %0 : tensor<2x2x2x2x2xi16>
}

// call: @batch_matmul 2x2x3xi8=[100 -12 108 94 -41 98 -104 -46 114 123 -128 -75] 2x3x2xi8=[-64 86 -102 -22 -128 -112 -8 118 53 73 109 -18] 2x2x2xi16=[-6380 3544 -6403 6976 14023 -1107 15289 13339]
// want: 2x2x2xi16=[[[-25380 312][-20781 4986]][[24843 -18789][-654 19859]]]
func.func @batch_matmul(%a0: tensor<2x2x3xi8>, %a1: tensor<2x3x2xi8>, %o: tensor<2x2x2xi16>) -> tensor<2x2x2xi16> {
  %0 = linalg.batch_matmul ins(%a0, %a1 : tensor<2x2x3xi8>, tensor<2x3x2xi8>) outs(%o : tensor<2x2x2xi16>) -> tensor<2x2x2xi16>
  return %0 : tensor<2x2x2xi16>
}

// call: @batch_matmul_transpose_a 2x3x2xi8=[-1 -97 125 77 50 -55 -55 -6 122 67 -109 -80] 2x3x2xi8=[-42 75 -78 16 -26 37 116 112 -82 -27 64 -123] 2x2x2xi16=[-19198 -8554 18231 -29856 8813 -29223 8136 17411]
// want: 2x2x2xi16=[[[-30206 -4779][17729 27602]][[-14547 -25270][-3174 24770]]]
func.func @batch_matmul_transpose_a(%a0: tensor<2x3x2xi8>, %a1: tensor<2x3x2xi8>, %o: tensor<2x2x2xi16>) -> tensor<2x2x2xi16> {
  %0 = linalg.batch_matmul_transpose_a ins(%a0, %a1 : tensor<2x3x2xi8>, tensor<2x3x2xi8>) outs(%o : tensor<2x2x2xi16>) -> tensor<2x2x2xi16>
  return %0 : tensor<2x2x2xi16>
}

// call: @batch_matmul_transpose_b 2x2x3xi8=[115 76 102 -97 -53 85 57 -118 -23 17 18 -89] 2x2x3xi8=[-115 -84 54 83 29 -121 12 -8 -92 -109 -83 25] 2x2x2xi16=[13290 -5408 30551 -20718 -16900 -1431 12053 22751]
// want: 2x2x2xi16=[[[-811 -6001][-14788 24945]][[-13156 1575][20301 17179]]]
func.func @batch_matmul_transpose_b(%a0: tensor<2x2x3xi8>, %a1: tensor<2x2x3xi8>, %o: tensor<2x2x2xi16>) -> tensor<2x2x2xi16> {
  %0 = linalg.batch_matmul_transpose_b ins(%a0, %a1 : tensor<2x2x3xi8>, tensor<2x2x3xi8>) outs(%o : tensor<2x2x2xi16>) -> tensor<2x2x2xi16>
  return %0 : tensor<2x2x2xi16>
}

// call: @quantized_batch_matmul 2x2x3xi8=[73 -127 71 65 -37 -22 36 69 37 -73 63 -1] 2x3x2xi8=[-77 -20 22 28 9 -89 -43 -89 83 -34 -13 -96] i8=80 i8=85 2x2x2xi16=[-2522 22989 30570 -742 6858 22056 4030 -21703]
// want: 2x2x2xi16=[[[12337 -28447][-17413 25250]][[16726 -26732][31586 21603]]]
func.func @quantized_batch_matmul(%a0: tensor<2x2x3xi8>, %a1: tensor<2x3x2xi8>, %a2: i8, %a3: i8, %o: tensor<2x2x2xi16>) -> tensor<2x2x2xi16> {
  %0 = linalg.quantized_batch_matmul ins(%a0, %a1, %a2, %a3 : tensor<2x2x3xi8>, tensor<2x3x2xi8>, i8, i8) outs(%o : tensor<2x2x2xi16>) -> tensor<2x2x2xi16>
  return %0 : tensor<2x2x2xi16>
}

// call: @batch_reduce_matmul 2x2x3xi8=[41 -33 87 -113 -52 -69 23 -34 94 -31 38 -76] 2x3x2xi8=[41 -89 -97 120 -58 -91 35 -32 111 68 -11 116] 2x2xi16=[-19557 -32561 -7402 -12237]
// want: 2x2xi16=[[-23724 25305][980 -7381]]
func.func @batch_reduce_matmul(%a0: tensor<2x2x3xi8>, %a1: tensor<2x3x2xi8>, %o: tensor<2x2xi16>) -> tensor<2x2xi16> {
  %0 = linalg.batch_reduce_matmul ins(%a0, %a1 : tensor<2x2x3xi8>, tensor<2x3x2xi8>) outs(%o : tensor<2x2xi16>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}

// call: @matvec 2x4xi8=[-71 -81 43 -51 60 -75 97 37] 4xi8=[-35 -76 59 -76] 2xi16=[-24320 -7145]
// want: 2xi16=[-9266 -634]
func.func @matvec(%a0: tensor<2x4xi8>, %a1: tensor<4xi8>, %o: tensor<2xi16>) -> tensor<2xi16> {
  %0 = linalg.matvec ins(%a0, %a1 : tensor<2x4xi8>, tensor<4xi8>) outs(%o : tensor<2xi16>) -> tensor<2xi16>
  return %0 : tensor<2xi16>
}

// call: @vecmat 4xi8=[-23 37 63 -40] 4x2xi8=[106 -86 -3 78 110 64 -126 -68] 2xi16=[16306 -15369]
// want: 2xi16=[25727 -3753]
func.func @vecmat(%a0: tensor<4xi8>, %a1: tensor<4x2xi8>, %o: tensor<2xi16>) -> tensor<2xi16> {
  %0 = linalg.vecmat ins(%a0, %a1 : tensor<4xi8>, tensor<4x2xi8>) outs(%o : tensor<2xi16>) -> tensor<2xi16>
  return %0 : tensor<2xi16>
}

// call: @batch_matvec 2x2x3xi8=[-127 125 67 47 -92 123 23 -120 -69 117 53 -28] 2x3xi8=[47 67 -56 20 127 -83] 2x2xi16=[-18365 6025 20722 11396]
// want: 2x2xi16=[[-19711 -4818][11669 22791]]
func.func @batch_matvec(%a0: tensor<2x2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x2xi16>) -> tensor<2x2xi16> {
  %0 = linalg.batch_matvec ins(%a0, %a1 : tensor<2x2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x2xi16>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}

// call: @batch_vecmat 2x3xi8=[-96 93 -103 -16 87 -7] 2x3x2xi8=[10 -91 -54 10 -79 116 93 -36 69 -3 -81 103] 2x2xi16=[13863 -15858 -21808 -32097]
// want: 2x2xi16=[[16018 -18140][-16726 -32503]]
func.func @batch_vecmat(%a0: tensor<2x3xi8>, %a1: tensor<2x3x2xi8>, %o: tensor<2x2xi16>) -> tensor<2x2xi16> {
  %0 = linalg.batch_vecmat ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3x2xi8>) outs(%o : tensor<2x2xi16>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}

// call: @dot 4xi8=[-56 56 -120 -118] 4xi8=[0 106 68 -88] i16=-25805
// want: i16=-17645
func.func @dot(%a0: tensor<4xi8>, %a1: tensor<4xi8>, %o: tensor<i16>) -> tensor<i16> {
  %0 = linalg.dot ins(%a0, %a1 : tensor<4xi8>, tensor<4xi8>) outs(%o : tensor<i16>) -> tensor<i16>
  return %0 : tensor<i16>
}
