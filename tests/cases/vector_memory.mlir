// Vector ops on memory: bounds, masks, maps, padding; lanes that are off or outside touch nothing, a lane that must not be is an error.
// call: @read 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.0 1.100000023841858] index=1 index=2 2x3xi1=[1 0 1 0 1 1]
// want: 3x3xf32=[0.6000000238418579 0.699999988079071 -42.5 1.0 1.100000023841858 -42.5 -42.5 -42.5 -42.5] 3x2xf32=[0.6000000238418579 1.0 0.699999988079071 1.100000023841858 -42.5 -42.5] 3x2xf32=[0.6000000238418579 0.6000000238418579 1.0 1.0 -42.5 -42.5] 2x3xf32=[0.5 -42.5 0.699999988079071 -42.5 1.0 1.100000023841858] 3x2xf32=[0.5 -42.5 -42.5 1.0 0.699999988079071 1.100000023841858] f32=0.6000000238418579 2x3xf32=[0.5 -42.5 0.699999988079071 -42.5 1.0 1.100000023841858]
// call: @read_inside 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.0 1.100000023841858] index=1
// want: 4xf32=[0.4000000059604645 0.5 0.6000000238418579 0.699999988079071]
// call: @read_inside 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.0 1.100000023841858] index=3
// want: error
// call: @write 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.0 1.100000023841858] 2x3xf32=[1.5 2.5 3.5 4.5 5.5 6.5] 2x3xi1=[1 0 1 0 1 1]
// want: 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.5 2.5] 3x4xf32=[0.0 1.5 4.5 0.30000001192092896 0.4000000059604645 2.5 5.5 0.699999988079071 0.800000011920929 3.5 6.5 1.100000023841858] 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 1.5 0.9000000357627869 3.5 1.100000023841858] 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.5 2.5] 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.0 1.100000023841858]
// call: @boxes 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.0 1.100000023841858]
// want: 2x2xf32=[0.5 0.6000000238418579 0.9000000357627869 1.0] 2x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.0 0.0 0.5 0.6000000238418579 0.0]
// call: @box_outside 3x4xf32=[0.0 0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.699999988079071 0.800000011920929 0.9000000357627869 1.0 1.100000023841858] index=2
// want: error
// call: @lanes 6xi32=[10 20 30 40 50 60] 4xi32=[-1 -2 -3 -4] 4xi1=[1 0 1 1]
// want: 4xi32=[20 -2 40 50] 6xi32=[10 -1 30 -3 -4 60] 4xi32=[30 -2 40 50] 6xi32=[10 -1 -3 -4 50 60]
// call: @lanes_at_the_end 6xi32=[10 20 30 40 50 60] 4xi32=[-1 -2 -3 -4] index=4 4xi1=[1 1 0 0]
// want: 4xi32=[50 60 -3 -4] 6xi32=[10 20 30 40 -1 -2]
// call: @lanes_at_the_end 6xi32=[10 20 30 40 50 60] 4xi32=[-1 -2 -3 -4] index=4 4xi1=[1 1 1 0]
// want: error
// call: @gathers 6xi32=[10 20 30 40 50 60] 3x4xi32=[0 11 22 33 44 55 66 77 88 99 110 121] 4xi32=[3 0 -1 3] 4xi32=[-1 -2 -3 -4] 4xi1=[1 0 1 1]
// want: 4xi32=[50 -2 10 50] 4xi32=[99 -2 55 99] 6xi32=[-3 20 30 40 -4 60] 4xi32=[50 -2 10 50]
// call: @vectors_in_memory i32=7
// want: 3x4xi32=[7 8 9 10 17 18 19 20 7 8 9 10] 4xi32=[17 18 19 20] 2x4xi32=[17 18 19 20 7 8 9 10] 3x4xi32=[7 8 9 10 17 18 19 20 -1 -1 -1 -1] 2xi32=[19 20]
func.func @read(%m: memref<3x4xf32>, %i: index, %j: index, %mask: vector<2x3xi1>) -> (vector<3x3xf32>, vector<3x2xf32>, vector<3x2xf32>, vector<2x3xf32>, vector<3x2xf32>, vector<f32>, vector<2x3xf32>) {
  %c1 = arith.constant 1 : index
  %pad = arith.constant -42.5 : f32
  %0 = vector.transfer_read %m[%i, %j], %pad : memref<3x4xf32>, vector<3x3xf32>
  %1 = vector.transfer_read %m[%i, %j], %pad {permutation_map = affine_map<(a, b) -> (b, a)>} : memref<3x4xf32>, vector<3x2xf32>
  %2 = vector.transfer_read %m[%i, %j], %pad {permutation_map = affine_map<(a, b) -> (a, 0)>, in_bounds = [false, true]} : memref<3x4xf32>, vector<3x2xf32>
  %3 = vector.transfer_read %m[%i, %c1], %pad, %mask : memref<3x4xf32>, vector<2x3xf32>
  %4 = vector.transfer_read %m[%i, %c1], %pad, %mask {permutation_map = affine_map<(a, b) -> (b, a)>} : memref<3x4xf32>, vector<3x2xf32>
  %s = memref.subview %m[%i, %j] [1, 1] [1, 1] : memref<3x4xf32> to memref<f32, strided<[], offset: ?>>
  %5 = vector.transfer_read %s[], %pad : memref<f32, strided<[], offset: ?>>, vector<f32>
  %6 = vector.mask %mask { vector.transfer_read %m[%i, %c1], %pad : memref<3x4xf32>, vector<2x3xf32> } : vector<2x3xi1> -> vector<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : vector<3x3xf32>, vector<3x2xf32>, vector<3x2xf32>, vector<2x3xf32>, vector<3x2xf32>, vector<f32>, vector<2x3xf32>
}
func.func @read_inside(%t: tensor<3x4xf32>, %i: index) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -42.5 : f32
  %0 = vector.transfer_read %t[%i, %c0], %pad {in_bounds = [true]} : tensor<3x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @write(%t: tensor<3x4xf32>, %v: vector<2x3xf32>, %mask: vector<2x3xi1>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, memref<3x4xf32>, tensor<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_write %v, %t[%c2, %c2] : vector<2x3xf32>, tensor<3x4xf32>
  %1 = vector.transfer_write %v, %t[%c0, %c1] {permutation_map = affine_map<(a, b) -> (b, a)>} : vector<2x3xf32>, tensor<3x4xf32>
  %2 = vector.transfer_write %v, %t[%c2, %c0], %mask : vector<2x3xf32>, tensor<3x4xf32>
  %m = memref.alloc() : memref<3x4xf32>
  %all = vector.transfer_read %t[%c0, %c0], %pad : tensor<3x4xf32>, vector<3x4xf32>
  vector.transfer_write %all, %m[%c0, %c0] {in_bounds = [true, true]} : vector<3x4xf32>, memref<3x4xf32>
  vector.transfer_write %v, %m[%c2, %c2] : vector<2x3xf32>, memref<3x4xf32>
  return %0, %1, %2, %m, %t : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, memref<3x4xf32>, tensor<3x4xf32>
}
func.func @boxes(%m: memref<3x4xf32>) -> (vector<2x2xf32>, memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = vector.load %m[%c1, %c1] : memref<3x4xf32>, vector<2x2xf32>
  %1 = vector.load %m[%c0, %c1] : memref<3x4xf32>, vector<2x2xf32>
  %out = memref.alloc() : memref<2x4xf32>
  vector.store %1, %out[%c0, %c1] : memref<2x4xf32>, vector<2x2xf32>
  return %0, %out : vector<2x2xf32>, memref<2x4xf32>
}
// call: @affine_boxes 3x4xf32=[[1 2 3 4][5 6 7 8][9 10 11 12]] index=1
// want: 2x2xf32=[[6 7][10 11]] 3x4xf32=[[1 2 3 4][5 6 6 7][9 10 11 12]]
func.func @affine_boxes(%m: memref<3x4xf32>, %i: index) -> (vector<2x2xf32>, memref<3x4xf32>) {
  %0 = affine.vector_load %m[%i, 2 * %i - 1] : memref<3x4xf32>, vector<2x2xf32>
  %1 = affine.vector_load %m[symbol(%i), %i] : memref<3x4xf32>, vector<2xf32>
  affine.vector_store %1, %m[%i, %i + 1] : memref<3x4xf32>, vector<2xf32>
  return %0, %m : vector<2x2xf32>, memref<3x4xf32>
}
func.func @box_outside(%m: memref<3x4xf32>, %i: index) -> vector<2x2xf32> {
  %c1 = arith.constant 1 : index
  %0 = vector.load %m[%i, %c1] : memref<3x4xf32>, vector<2x2xf32>
  return %0 : vector<2x2xf32>
}
func.func @lanes(%t: tensor<6xi32>, %v: vector<4xi32>, %mask: vector<4xi1>) -> (vector<4xi32>, memref<6xi32>, vector<4xi32>, memref<6xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<6xi32>
  %b = memref.alloc() : memref<6xi32>
  %all = vector.transfer_read %t[%c0], %zero : tensor<6xi32>, vector<6xi32>
  vector.store %all, %a[%c0] : memref<6xi32>, vector<6xi32>
  vector.store %all, %b[%c0] : memref<6xi32>, vector<6xi32>
  %0 = vector.maskedload %a[%c1], %mask, %v : memref<6xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  %1 = vector.expandload %a[%c2], %mask, %v : memref<6xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  vector.maskedstore %a[%c1], %mask, %v : memref<6xi32>, vector<4xi1>, vector<4xi32>
  vector.compressstore %b[%c1], %mask, %v : memref<6xi32>, vector<4xi1>, vector<4xi32>
  return %0, %a, %1, %b : vector<4xi32>, memref<6xi32>, vector<4xi32>, memref<6xi32>
}
func.func @lanes_at_the_end(%m: memref<6xi32>, %v: vector<4xi32>, %i: index, %mask: vector<4xi1>) -> (vector<4xi32>, memref<6xi32>) {
  %0 = vector.maskedload %m[%i], %mask, %v : memref<6xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  vector.maskedstore %m[%i], %mask, %v : memref<6xi32>, vector<4xi1>, vector<4xi32>
  return %0, %m : vector<4xi32>, memref<6xi32>
}
func.func @gathers(%m: memref<6xi32>, %t: tensor<3x4xi32>, %at: vector<4xi32>, %v: vector<4xi32>, %mask: vector<4xi1>) -> (vector<4xi32>, vector<4xi32>, memref<6xi32>, vector<4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = vector.gather %m[%c1] [%at], %mask, %v : memref<6xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  %1 = vector.gather %t[%c1, %c2] [%at], %mask, %v : tensor<3x4xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  %all = vector.constant_mask [4] : vector<4xi1>
  %2 = vector.mask %mask { vector.gather %m[%c1] [%at], %all, %v : memref<6xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  vector.scatter %m[%c1] [%at], %mask, %v : memref<6xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32>
  return %0, %1, %m, %2 : vector<4xi32>, vector<4xi32>, memref<6xi32>, vector<4xi32>
}
func.func @vectors_in_memory(%x: i32) -> (vector<3x4xi32>, vector<4xi32>, vector<2x4xi32>, memref<3x4xi32>, vector<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant dense<10> : vector<4xi32>
  %minus = arith.constant dense<-1> : vector<4xi32>
  %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %splat = vector.splat %x : vector<4xi32>
  %v = arith.addi %splat, %steps : vector<4xi32>
  %w = arith.addi %v, %c10 : vector<4xi32>
  %m = memref.alloc() : memref<3xvector<4xi32>>
  memref.store %v, %m[%c0] : memref<3xvector<4xi32>>
  affine.store %w, %m[1] : memref<3xvector<4xi32>>
  %first = affine.load %m[0] : memref<3xvector<4xi32>>
  memref.store %first, %m[%c2] : memref<3xvector<4xi32>>
  %0 = vector.transfer_read %m[%c0], %c10 : memref<3xvector<4xi32>>, vector<3x4xi32>
  %tail = memref.subview %m[1] [2] [1] : memref<3xvector<4xi32>> to memref<2xvector<4xi32>, strided<[1], offset: 1>>
  %1 = memref.load %tail[%c0] : memref<2xvector<4xi32>, strided<[1], offset: 1>>
  %2 = vector.transfer_read %tail[%c0], %c10 : memref<2xvector<4xi32>, strided<[1], offset: 1>>, vector<2x4xi32>
  memref.store %minus, %tail[%c1] : memref<2xvector<4xi32>, strided<[1], offset: 1>>
  %flat = memref.alloc() : memref<3x4xi32>
  %cast = vector.type_cast %flat : memref<3x4xi32> to memref<vector<3x4xi32>>
  %now = vector.transfer_read %m[%c0], %c10 {in_bounds = [true]} : memref<3xvector<4xi32>>, vector<3x4xi32>
  memref.store %now, %cast[] : memref<vector<3x4xi32>>
  %part = vector.load %flat[%c1, %c2] : memref<3x4xi32>, vector<2xi32>
  return %0, %1, %2, %flat, %part : vector<3x4xi32>, vector<4xi32>, vector<2x4xi32>, memref<3x4xi32>, vector<2xi32>
}
