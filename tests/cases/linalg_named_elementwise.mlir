// Named elementwise ops; integers wrap, operands of a smaller type are converted first.

// call: @fill i16=713 2x3xi8=[55 -114 110 -1 -102 -48]
// want: 2x3xi8=[[-55 -55 -55][-55 -55 -55]]
func.func @fill(%a0: i16, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.fill ins(%a0 : i16) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @copy 2x3xi8=[-71 62 112 -2 66 -76] 2x3xi16=[-88 -31050 -4361 20729 3864 -8903]
// want: 2x3xi16=[[-71 62 112][-2 66 -76]]
func.func @copy(%a0: tensor<2x3xi8>, %o: tensor<2x3xi16>) -> tensor<2x3xi16> {
  %0 = linalg.copy ins(%a0 : tensor<2x3xi8>) outs(%o : tensor<2x3xi16>) -> tensor<2x3xi16>
  return %0 : tensor<2x3xi16>
}

// call: @exp 2x3xf32=[7.49 4.78 -6.13 5.35 -6.5 2.11] 2x3xf32=[-6.72 -8.97 6.69 -5.23 -5.12 8.68]
// want: 2x3xf32=[[1790.0516 119.10438 0.0021765807][210.60828 0.0015034392 8.24824]]
func.func @exp(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.exp ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @log 2x3xf32=[7.85 2.61 8.65 4.86 6.1 1.85] 2x3xf32=[7.94 3.43 8.4 7.09 -3.62 -2.5]
// want: 2x3xf32=[[2.0605135 0.95935017 2.1575594][1.5810385 1.8082888 0.6151857]]
func.func @log(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.log ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @abs 2x3xi8=[-44 -54 7 -95 41 26] 2x3xi8=[-127 45 -95 30 53 28]
// want: 2x3xi8=[[44 54 7][95 41 26]]
func.func @abs(%a0: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.abs ins(%a0 : tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @ceil 2x3xf32=[-0.347 -3.32 -0.338 3.68 -7.97 8.55] 2x3xf32=[-8.59 4.5 6.21 -8.67 5.18 -2.41]
// want: 2x3xf32=[[-0 -3 -0][4 -7 9]]
func.func @ceil(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.ceil ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @floor 2x3xf32=[1.41 -8.84 -8.16 -5.74 8.19 -5.46] 2x3xf32=[4.6 7.73 7.96 -2.8 -2.61 0.445]
// want: 2x3xf32=[[1 -9 -9][-6 8 -6]]
func.func @floor(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.floor ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @negf 2x3xf32=[4.96 -7.06 4.47 5.35 6.47 -8.34] 2x3xf32=[8.02 -7.36 -2.87 1.99 7.53 -2.88]
// want: 2x3xf32=[[-4.96 7.06 -4.47][-5.35 -6.47 8.34]]
func.func @negf(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.negf ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @reciprocal 2x3xf32=[7.64 0.813 -3.38 -3.3 -5.81 -7.59] 2x3xf32=[-6.32 3.41 8.94 -6.09 -8.13 8.76]
// want: 2x3xf32=[[0.13089006 1.2300123 -0.29585797][-0.3030303 -0.17211704 -0.1317523]]
func.func @reciprocal(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.reciprocal ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @round 2x3xf32=[0.604 -1.69 -4.73 1.69 5.87 -0.798] 2x3xf32=[-1.41 -8 7.49 -8.41 -0.116 6.09]
// want: 2x3xf32=[[1 -2 -5][2 6 -1]]
func.func @round(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.round ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @sqrt 2x3xf32=[1.18 6.59 8.55 5.68 7.09 0.969] 2x3xf32=[-1.18 -6.31 6.21 -3.69 -0.843 8.99]
// want: 2x3xf32=[[1.0862781 2.5670996 2.9240384][2.383275 2.6627054 0.984378]]
func.func @sqrt(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.sqrt ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @rsqrt 2x3xf32=[7.67 8.78 4.09 4.4 6.57 4.32] 2x3xf32=[-3.76 -1.73 -6.36 -2.21 8.79 8.28]
// want: 2x3xf32=[[0.36107907 0.33748364 0.49446815][0.4767313 0.39013717 0.4811252]]
func.func @rsqrt(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.rsqrt ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @square 2x3xf32=[2.29 -0.0122 -2.91 -7.4 -4.1 5.08] 2x3xf32=[6.61 -2.5 5.15 4.95 3.5 2.95]
// want: 2x3xf32=[[5.2440996 0.00014884 8.468101][54.760002 16.81 25.806398]]
func.func @square(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.square ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @tanh 2x3xf32=[4.67 -2.46 3.68 -3.94 -0.258 4.86] 2x3xf32=[3.44 -3.71 8.02 2.69 1.45 -8.79]
// want: 2x3xf32=[[0.99982435 -0.98550755 0.9987284][-0.9992438 -0.2524239 0.9998799]]
func.func @tanh(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.tanh ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @erf 2x3xf32=[0.846 -4.49 3.09 -0.667 5.7 2.65] 2x3xf32=[5.36 -2.74 2.59 4.28 5.91 -2.7]
// want: 2x3xf32=[[0.76846915 -1 0.99998754][-0.6544625 1 0.9998215]]
func.func @erf(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.erf ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @add 2x3xi8=[-40 102 58 43 -56 -43] 2x3xi8=[-27 57 116 16 -88 85] 2x3xi8=[-41 87 26 10 -114 -28]
// want: 2x3xi8=[[-67 -97 -82][59 112 42]]
func.func @add(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.add ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @sub 2x3xi8=[-47 97 -36 -16 -36 -107] 2x3xi8=[113 -13 -44 -101 -60 -72] 2x3xi8=[34 -36 119 -29 -110 84]
// want: 2x3xi8=[[96 110 8][85 24 -35]]
func.func @sub(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.sub ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @mul 2x3xi8=[110 51 66 -92 -24 -7] 2x3xi8=[63 -128 51 79 14 81] 2x3xi8=[-70 63 -110 26 -80 23]
// want: 2x3xi8=[[18 -128 38][-100 -80 -55]]
func.func @mul(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.mul ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @div 2x3xi8=[45 22 52 -62 86 81] 2x3xi8=[61 111 -56 -48 67 116] 2x3xi8=[-27 -60 -82 51 -128 67]
// want: 2x3xi8=[[0 0 0][1 1 0]]
func.func @div(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.div ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @div_unsigned 2x3xi8=[-73 38 -56 38 64 91] 2x3xi8=[93 -13 124 21 117 66] 2x3xi8=[68 -47 5 26 126 0]
// want: 2x3xi8=[[1 0 1][1 0 1]]
func.func @div_unsigned(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.div_unsigned ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @max 2x3xi8=[84 -118 35 29 123 18] 2x3xi8=[-55 116 -116 -66 99 -3] 2x3xi8=[22 -108 -59 72 -122 117]
// want: 2x3xi8=[[84 116 35][29 123 18]]
func.func @max(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.max ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @min 2x3xi8=[12 -4 114 -110 -3 122] 2x3xi8=[9 -49 18 22 124 115] 2x3xi8=[-68 -120 -64 25 16 44]
// want: 2x3xi8=[[9 -49 18][-110 -3 115]]
func.func @min(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.min ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @powf 2x3xf32=[5.53 6.58 0.249 3.15 6.14 7.32] 2x3xf32=[1.2 0.0355 4.98 6.17 0.977 6.19] 2x3xf32=[-5.56 -1.27 5.54 1.71 3.4 8.16]
// want: 2x3xf32=[[7.7852077 1.0691706 0.0009841758][1187.3431 5.8889856 224555.5]]
func.func @powf(%a0: tensor<2x3xf32>, %a1: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.powf ins(%a0, %a1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @select 2x3xi1=[1 1 1 1 0 1] 2x3xi8=[110 -95 27 -127 93 18] 2x3xi8=[113 31 -55 -44 116 126] 2x3xi8=[41 -50 89 -104 -93 -11]
// want: 2x3xi8=[[110 -95 27][-127 116 18]]
func.func @select(%a0: tensor<2x3xi1>, %a1: tensor<2x3xi8>, %a2: tensor<2x3xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.select ins(%a0, %a1, %a2 : tensor<2x3xi1>, tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// call: @elemwise_unary 2x3xf32=[-4.19 -7.47 -7.87 7.96 -3.01 -1.27] 2x3xf32=[-7.76 -1.71 -0.24 -6.78 -6.8 2.06]
// want: 2x3xf32=[[0.015146284 0.00056992844 0.0003820344][2864.073 0.049291678 0.28083163]]
func.func @elemwise_unary(%a0: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.elemwise_unary ins(%a0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// call: @elemwise_binary 2x3xi8=[-72 -60 21 96 -52 -35] 2x3xi8=[-34 83 -46 -94 -19 -106] 2x3xi16=[-18585 16934 -23331 3915 -25224 -17256]
// want: 2x3xi16=[[-106 23 -25][2 -71 -141]]
func.func @elemwise_binary(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %o: tensor<2x3xi16>) -> tensor<2x3xi16> {
  %0 = linalg.elemwise_binary ins(%a0, %a1 : tensor<2x3xi8>, tensor<2x3xi8>) outs(%o : tensor<2x3xi16>) -> tensor<2x3xi16>
  return %0 : tensor<2x3xi16>
}
