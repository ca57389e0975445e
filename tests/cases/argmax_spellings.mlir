// argmax and argmin in the spellings that importers emit, with ties, zeros of both signs, NaNs and infinities
// call: @f0 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi64=[0 0 0 0]
// want: 4xf32=[2.5 2.5 -inf -0] 4xi64=[3 3 0 1]
// call: @f1 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[2.5 2.5 -inf -0] 4xi32=[3 3 -1 1]
// call: @f2 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi64=[3 3 3 3]
// want: 4xf32=[2.5 2.5 -inf -0] 4xi64=[3 3 3 1]
// call: @f3 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi64=[0 0 0 0]
// want: 4xf32=[2.5 2.5 -inf -0] 4xi64=[27 34 35 36]
// call: @f4 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[2.5 2.5 -inf -0] 4xi32=[27 34 35 36]
// call: @f5 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi64=[3 3 3 3]
// want: 4xf32=[2.5 2.5 -inf -0] 4xi64=[27 34 35 36]
// call: @f6 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[inf inf inf inf] 4xi64=[0 0 0 0]
// want: 4xf32=[-2.5 -2.5 -inf -1] 4xi64=[4 14 0 0]
// call: @f7 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[inf inf inf inf] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[-2.5 -2.5 -inf -1] 4xi32=[4 14 0 0]
// call: @f8 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[inf inf inf inf] 4xi64=[3 3 3 3]
// want: 4xf32=[-2.5 -2.5 -inf -1] 4xi64=[4 14 0 0]
// call: @f9 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[3.4028235e+38 3.4028235e+38 3.4028235e+38 3.4028235e+38] 4xi64=[0 0 0 0]
// want: 4xf32=[-2.5 -2.5 -inf -1] 4xi64=[35 27 35 35]
// call: @f10 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[0 0 0 0] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[-2.5 -2.5 -inf -1] 4xi32=[35 27 35 35]
// call: @f11 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[nan nan nan nan] 4xi64=[3 3 3 3]
// want: 4xf32=[nan nan nan nan] 4xi64=[3 3 3 3]
// call: @f12 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi64=[0 0 0 0]
// want: 4xf32=[2.5 2.5 nan -0] 4xi64=[3 30 36 1]
// call: @f13 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-3.4028235e+38 -3.4028235e+38 -3.4028235e+38 -3.4028235e+38] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[2.5 2.5 nan -0] 4xi32=[3 30 36 1]
// call: @f14 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[inf inf inf inf] 4xi64=[3 3 3 3]
// want: 4xf32=[inf 2.5 nan inf] 4xi64=[3 30 36 3]
// call: @f15 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[3.4028235e+38 3.4028235e+38 3.4028235e+38 3.4028235e+38] 4xi64=[0 0 0 0]
// want: 4xf32=[3.4028235e+38 2.5 nan 3.4028235e+38] 4xi64=[0 34 36 0]
// call: @f16 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[0 0 0 0] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[2.5 2.5 nan -0] 4xi32=[27 34 36 36]
// call: @f17 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[nan nan nan nan] 4xi64=[3 3 3 3]
// want: 4xf32=[2.5 2.5 nan -0] 4xi64=[27 34 36 36]
// call: @f18 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi64=[0 0 0 0]
// want: 4xf32=[-inf 0 nan -inf] 4xi64=[0 33 36 0]
// call: @f19 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-3.4028235e+38 -3.4028235e+38 -3.4028235e+38 -3.4028235e+38] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[-3.4028235e+38 0 nan -3.4028235e+38] 4xi32=[-1 33 36 -1]
// call: @f20 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[inf inf inf inf] 4xi64=[3 3 3 3]
// want: 4xf32=[-2.5 0 nan -1] 4xi64=[4 33 36 0]
// call: @f21 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[3.4028235e+38 3.4028235e+38 3.4028235e+38 3.4028235e+38] 4xi64=[0 0 0 0]
// want: 4xf32=[-2.5 -0 nan -1] 4xi64=[35 35 36 35]
// call: @f22 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[0 0 0 0] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[-2.5 -0 nan -1] 4xi32=[35 35 36 35]
// call: @f23 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[nan nan nan nan] 4xi64=[3 3 3 3]
// want: 4xf32=[-2.5 -0 nan -1] 4xi64=[35 35 36 35]
// call: @f24 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-inf -inf -inf -inf] 4xi64=[0 0 0 0]
// want: 4xf32=[2.5 2.5 nan -0] 4xi64=[3 30 36 1]
// call: @f25 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[-3.4028235e+38 -3.4028235e+38 -3.4028235e+38 -3.4028235e+38] 4xi32=[-1 -1 -1 -1]
// want: 4xf32=[2.5 2.5 -3.4028235e+38 -0] 4xi32=[3 3 -1 1]
// call: @f26 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[inf inf inf inf] 4xi64=[3 3 3 3]
// want: 4xf32=[inf inf inf inf] 4xi64=[3 3 3 3]
// call: @f27 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 4xf32=[3.4028235e+38 3.4028235e+38 3.4028235e+38 3.4028235e+38] 4xi64=[0 0 0 0]
// want: 4xf32=[-2.5 -2.5 -inf -1] 4xi64=[4 14 0 0]
// call: @columns 4x37xf32=[[0 -1 -0 2.5 -2.5 -2.5 1 -2.5 0 1 -2.5 1 -1 -2.5 -2.5 -0 -0 -2.5 -1 -2.5 1 -0 -2.5 1 -2.5 -1 2.5 2.5 1 -2.5 1 1 -0 -2.5 -1 -2.5 1] [-1 -1 1 2.5 1 -1 1 nan -1 1 0 -0 -1 2.5 -2.5 1 0 0 -2.5 -0 0 -0 nan 1 0 0 1 -2.5 0 nan 2.5 2.5 2.5 0 2.5 -0 1] [-inf -inf -inf nan -inf nan nan nan nan nan nan -inf -inf -inf -inf nan -inf nan -inf nan nan -inf nan nan -inf nan -inf -inf -inf nan -inf -inf -inf -inf -inf -inf nan] [-1 -0 -0 0 -0 -0 -0 0 -1 -1 -0 0 0 -1 0 -1 -1 -1 -1 -1 0 0 -1 -0 0 0 -0 0 -1 -0 0 -0 -0 -1 -0 -1 -0]] 37xf32=[-inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf -inf] 37xi64=[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]
// want: 37xi64=[0 3 1 0 1 3 0 3 0 0 1 0 3 1 3 1 0 1 0 1 0 0 3 0 1 1 0 0 0 3 1 1 1 1 1 1 0] 37xf32=[0 -0 1 2.5 1 -0 1 0 0 1 0 1 0 2.5 0 1 -0 0 -1 -0 1 -0 -1 1 0 0 2.5 2.5 1 -0 2.5 2.5 2.5 0 2.5 -0 1]
module {
  func.func @f0(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf ogt, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f1(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.cmpf olt, %v, %x : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f2(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xindex>) {
    ^bb0(%x: f32, %v: f32, %n: index):
      %i = linalg.index 1 : index
      %c = arith.cmpf ule, %x, %v : f32
      %a = arith.select %c, %v, %x : f32
      %b = arith.select %c, %n, %i : index
      linalg.yield %a, %b : f32, index
    } -> (tensor<4xf32>, tensor<4xindex>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
  }
  func.func @f3(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf oge, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f4(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.cmpf ole, %v, %x : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f5(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xindex>) {
    ^bb0(%x: f32, %v: f32, %n: index):
      %i = linalg.index 1 : index
      %c = arith.cmpf ult, %x, %v : f32
      %a = arith.select %c, %v, %x : f32
      %b = arith.select %c, %n, %i : index
      linalg.yield %a, %b : f32, index
    } -> (tensor<4xf32>, tensor<4xindex>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
  }
  func.func @f6(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf olt, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f7(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.cmpf ogt, %v, %x : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f8(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xindex>) {
    ^bb0(%x: f32, %v: f32, %n: index):
      %i = linalg.index 1 : index
      %c = arith.cmpf uge, %x, %v : f32
      %a = arith.select %c, %v, %x : f32
      %b = arith.select %c, %n, %i : index
      linalg.yield %a, %b : f32, index
    } -> (tensor<4xf32>, tensor<4xindex>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
  }
  func.func @f9(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf ole, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f10(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.cmpf oge, %v, %x : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f11(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xindex>) {
    ^bb0(%x: f32, %v: f32, %n: index):
      %i = linalg.index 1 : index
      %c = arith.cmpf ugt, %x, %v : f32
      %a = arith.select %c, %v, %x : f32
      %b = arith.select %c, %n, %i : index
      linalg.yield %a, %b : f32, index
    } -> (tensor<4xf32>, tensor<4xindex>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
  }
  func.func @f12(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf ugt, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f13(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.cmpf ult, %v, %x : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f14(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xindex>) {
    ^bb0(%x: f32, %v: f32, %n: index):
      %i = linalg.index 1 : index
      %c = arith.cmpf ole, %x, %v : f32
      %a = arith.select %c, %v, %x : f32
      %b = arith.select %c, %n, %i : index
      linalg.yield %a, %b : f32, index
    } -> (tensor<4xf32>, tensor<4xindex>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
  }
  func.func @f15(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf uge, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f16(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.cmpf ule, %v, %x : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f17(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xindex>) {
    ^bb0(%x: f32, %v: f32, %n: index):
      %i = linalg.index 1 : index
      %c = arith.cmpf olt, %x, %v : f32
      %a = arith.select %c, %v, %x : f32
      %b = arith.select %c, %n, %i : index
      linalg.yield %a, %b : f32, index
    } -> (tensor<4xf32>, tensor<4xindex>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
  }
  func.func @f18(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf ult, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f19(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.cmpf ugt, %v, %x : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f20(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xindex>) {
    ^bb0(%x: f32, %v: f32, %n: index):
      %i = linalg.index 1 : index
      %c = arith.cmpf oge, %x, %v : f32
      %a = arith.select %c, %v, %x : f32
      %b = arith.select %c, %n, %i : index
      linalg.yield %a, %b : f32, index
    } -> (tensor<4xf32>, tensor<4xindex>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
  }
  func.func @f21(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf ule, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f22(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.cmpf uge, %v, %x : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f23(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xindex>) {
    ^bb0(%x: f32, %v: f32, %n: index):
      %i = linalg.index 1 : index
      %c = arith.cmpf ogt, %x, %v : f32
      %a = arith.select %c, %v, %x : f32
      %b = arith.select %c, %n, %i : index
      linalg.yield %a, %b : f32, index
    } -> (tensor<4xf32>, tensor<4xindex>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
  }
  func.func @f24(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c0 = arith.cmpf ogt, %x, %v : f32
      %c1 = arith.cmpf uno, %x, %v : f32
      %c = arith.ori %c0, %c1 : i1
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f25(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%x: f32, %v: f32, %n: i32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %c0 = arith.cmpf ogt, %x, %v : f32
      %c1 = arith.cmpf ogt, %x, %v : f32
      %a = arith.select %c0, %x, %v : f32
      %b = arith.select %c1, %k, %n : i32
      linalg.yield %a, %b : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
  }
  func.func @f26(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %c0 = arith.cmpf ogt, %x, %v : f32
      %c1 = arith.cmpf oeq, %x, %v : f32
      %c = arith.ori %c0, %c1 : i1
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @f27(%in: tensor<4x37xf32>, %iv: tensor<4xf32>, %ii: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x37xf32>) outs(%iv, %ii : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%x: f32, %v: f32, %n: i64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %t = arith.constant true
      %c0 = arith.cmpf uge, %x, %v : f32
      %c = arith.xori %c0, %t : i1
      %b = arith.select %c, %k, %n : i64
      %a = arith.select %c, %x, %v : f32
      linalg.yield %a, %b : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
  }
  func.func @columns(%in: tensor<4x37xf32>, %iv: tensor<37xf32>, %ii: tensor<37xi64>) -> (tensor<37xi64>, tensor<37xf32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%in : tensor<4x37xf32>) outs(%ii, %iv : tensor<37xi64>, tensor<37xf32>) {
    ^bb0(%x: f32, %n: i64, %v: f32):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpf ogt, %x, %v : f32
      %a = arith.select %c, %x, %v : f32
      %b = arith.select %c, %k, %n : i64
      linalg.yield %b, %a : i64, f32
    } -> (tensor<37xi64>, tensor<37xf32>)
    return %r#0, %r#1 : tensor<37xi64>, tensor<37xf32>
  }
}
