// Vector ops that move elements: every form of repetition, choice, slice and cast; positions are checked.
// call: @repeat 3xf32=[0.0 0.10000000149011612 0.20000000298023224] f32=0.3
// want: 2x3xf32=[0.0 0.10000000149011612 0.20000000298023224 0.0 0.10000000149011612 0.20000000298023224] 2x2xf32=[0.30000001192092896 0.30000001192092896 0.30000001192092896 0.30000001192092896] 2x3x2xf32=[0.0 0.0 0.10000000149011612 0.10000000149011612 0.20000000298023224 0.20000000298023224 0.0 0.0 0.10000000149011612 0.10000000149011612 0.20000000298023224 0.20000000298023224] f32=0.30000001192092896 2x1xf32=[0.30000001192092896 0.30000001192092896]
// call: @elements 2x3xi32=[-9 -2 5 12 19 26]
// want: 3x2xi32=[26 19 12 5 -2 -9] 5xindex=[0 1 2 3 4]
// call: @shuffle 2x3xi32=[-9 -2 5 12 19 26] 2x3xi32=[100 101 102 103 104 105]
// want: 5x3xi32=[103 104 105 -9 -2 5 12 19 26 103 104 105 100 101 102] 4xi32=[-2 0 102 -9] 2xi32=[-9 101]
// call: @interleave 2x3xi32=[-9 -2 5 12 19 26] 2x3xi32=[100 101 102 103 104 105]
// want: 2x6xi32=[-9 100 -2 101 5 102 12 103 19 104 26 105] 2x3xi32=[-9 -2 5 12 19 26] 2x3xi32=[100 101 102 103 104 105] 2xi32=[-9 100]
// call: @extract 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] index=2 index=1
// want: i32=23000069 3x4xi32=[12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] 4xi32=[8000024 9000027 10000030 11000033] i32=21000063 3x4xi32=[12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] i32=4000012
// call: @insert 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] i32=-5 index=2 index=1
// want: 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 -5] 2x3x4xi32=[12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 0 1000003 2000006 3000009] 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 -5 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069]
// call: @extract_outside 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] index=3
// want: error
// call: @strided 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069]
// want: 1x2x4xi32=[16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] 2x1x4xi32=[4000012 5000015 6000018 7000021 16000048 17000051 18000054 19000057] 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 0 1000003 20000060 21000063 4000012 5000015]
// call: @reshape 2x3x4xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] i32=77
// want: 4x2x3xi32=[0 4000012 8000024 12000036 16000048 20000060 1000003 5000015 9000027 13000039 17000051 21000063 2000006 6000018 10000030 14000042 18000054 22000066 3000009 7000021 11000033 15000045 19000057 23000069] 4x6xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069] 1xi32=[77] i32=77 24xi32=[0 1000003 2000006 3000009 4000012 5000015 6000018 7000021 8000024 9000027 10000030 11000033 12000036 13000039 14000042 15000045 16000048 17000051 18000054 19000057 20000060 21000063 22000066 23000069]
// call: @bits 2x2xi32=[305419896 -2 2143289345 -2147483648]
// want: 2x8xi8=[120 86 52 18 -2 -1 -1 -1 1 0 -64 127 0 0 0 -128] 2x2xi32=[305419896 -2 2143289345 -2147483648] 2x1xi64=[-8284514696 -9223372034711486463] 2x16xi4=[-8 7 6 5 4 3 2 1 -2 -1 -1 -1 -1 -1 -1 -1 1 0 0 0 0 -4 -1 7 0 0 0 0 0 0 0 -8] 2x2xi32=[305419896 -2 2143289345 -2147483648] 2x4xi16=[22136 4660 -2 -1 1 32704 0 -32768]
// call: @odd_bits 2xi24=[1193046 -74566]
// want: 3xi16=[13398 -17902 -292]
// call: @element 3xi32=[-9 -2 5] i8=2 index=1
// want: i32=5 3xi32=[-9 5 5] i32=-2
// call: @element 3xi32=[-9 -2 5] i8=-1 index=1
// want: error
// call: @masks index=2 index=-1 index=9
// want: 3x4xi1=[1 1 1 1 1 1 1 1 0 0 0 0] 3x4xi1=[0 0 0 0 0 0 0 0 0 0 0 0] 3x4xi1=[1 1 1 0 0 0 0 0 0 0 0 0] i1=1 i1=0
// call: @fma 4xf32=[0.10000000149011612 1.0000000200408773e+20 16777216.0 3.0000000054977558e+38] 4xf32=[10.0 1.0000000200408773e+20 1.0000001192092896 10.0] 4xf32=[-1.0 -9.999999680285692e+37 -16777216.0 -inf]
// want: 4xf32=[1.4901161193847656e-08 inf 2.0 -inf]
func.func @repeat(%row: vector<3xf32>, %x: f32) -> (vector<2x3xf32>, vector<2x2xf32>, vector<2x3x2xf32>, vector<f32>, vector<2x1xf32>) {
  %0 = vector.broadcast %row : vector<3xf32> to vector<2x3xf32>
  %1 = vector.splat %x : vector<2x2xf32>
  %column = vector.shape_cast %row : vector<3xf32> to vector<3x1xf32>
  %2 = vector.broadcast %column : vector<3x1xf32> to vector<2x3x2xf32>
  %3 = vector.broadcast %x : f32 to vector<f32>
  %4 = vector.broadcast %3 : vector<f32> to vector<2x1xf32>
  return %0, %1, %2, %3, %4 : vector<2x3xf32>, vector<2x2xf32>, vector<2x3x2xf32>, vector<f32>, vector<2x1xf32>
}
func.func @elements(%v: vector<2x3xi32>) -> (vector<3x2xi32>, vector<5xindex>) {
  %e:6 = vector.to_elements %v : vector<2x3xi32>
  %0 = vector.from_elements %e#5, %e#4, %e#3, %e#2, %e#1, %e#0 : vector<3x2xi32>
  %1 = vector.step : vector<5xindex>
  return %0, %1 : vector<3x2xi32>, vector<5xindex>
}
func.func @shuffle(%a: vector<2x3xi32>, %b: vector<2x3xi32>) -> (vector<5x3xi32>, vector<4xi32>, vector<2xi32>) {
  %0 = vector.shuffle %a, %b [3, 0, 1, 3, 2] : vector<2x3xi32>, vector<2x3xi32>
  %x = vector.extract %a[0] : vector<3xi32> from vector<2x3xi32>
  %y = vector.extract %b[0] : vector<3xi32> from vector<2x3xi32>
  %1 = vector.shuffle %x, %y [1, -1, 5, 0] : vector<3xi32>, vector<3xi32>
  %p = vector.extract %a[0, 0] : i32 from vector<2x3xi32>
  %q = vector.extract %b[0, 1] : i32 from vector<2x3xi32>
  %pv = vector.broadcast %p : i32 to vector<i32>
  %qv = vector.broadcast %q : i32 to vector<i32>
  %2 = vector.shuffle %pv, %qv [0, 1] : vector<i32>, vector<i32>
  return %0, %1, %2 : vector<5x3xi32>, vector<4xi32>, vector<2xi32>
}
func.func @interleave(%a: vector<2x3xi32>, %b: vector<2x3xi32>) -> (vector<2x6xi32>, vector<2x3xi32>, vector<2x3xi32>, vector<2xi32>) {
  %0 = vector.interleave %a, %b : vector<2x3xi32> -> vector<2x6xi32>
  %1, %2 = vector.deinterleave %0 : vector<2x6xi32> -> vector<2x3xi32>
  %p = vector.extract %a[0, 0] : i32 from vector<2x3xi32>
  %q = vector.extract %b[0, 0] : i32 from vector<2x3xi32>
  %pv = vector.broadcast %p : i32 to vector<i32>
  %qv = vector.broadcast %q : i32 to vector<i32>
  %3 = vector.interleave %pv, %qv : vector<i32> -> vector<2xi32>
  return %0, %1, %2, %3 : vector<2x6xi32>, vector<2x3xi32>, vector<2x3xi32>, vector<2xi32>
}
func.func @extract(%v: vector<2x3x4xi32>, %i: index, %j: index) -> (i32, vector<3x4xi32>, vector<4xi32>, i32, vector<3x4xi32>, vector<i32>) {
  %0 = vector.extract %v[1, 2, 3] : i32 from vector<2x3x4xi32>
  %1 = vector.extract %v[1] : vector<2x3x4xi32>
  %2 = vector.extract %v[0, %i] : vector<4xi32> from vector<2x3x4xi32>
  %3 = vector.extract %v[%j, %i, 1] : i32 from vector<2x3x4xi32>
  %4 = vector.extract %v[%j] : vector<3x4xi32> from vector<2x3x4xi32>
  %s = "vector.extract"(%v) {position = [0, 1, 0]} : (vector<2x3x4xi32>) -> i32
  %5 = vector.broadcast %s : i32 to vector<i32>
  return %0, %1, %2, %3, %4, %5 : i32, vector<3x4xi32>, vector<4xi32>, i32, vector<3x4xi32>, vector<i32>
}
func.func @insert(%v: vector<2x3x4xi32>, %x: i32, %i: index, %j: index) -> (vector<2x3x4xi32>, vector<2x3x4xi32>, vector<2x3x4xi32>, vector<2x3x4xi32>) {
  %0 = vector.insert %x, %v[1, 2, 3] : i32 into vector<2x3x4xi32>
  %part = vector.extract %v[1] : vector<3x4xi32> from vector<2x3x4xi32>
  %1 = vector.insert %part, %v[0] : vector<3x4xi32> into vector<2x3x4xi32>
  %row = vector.extract %v[0, 0] : vector<4xi32> from vector<2x3x4xi32>
  %2 = vector.insert %row, %v[%j, %i] : vector<4xi32> into vector<2x3x4xi32>
  %3 = vector.insert %x, %v[0, %j, %i] : i32 into vector<2x3x4xi32>
  return %0, %1, %2, %3 : vector<2x3x4xi32>, vector<2x3x4xi32>, vector<2x3x4xi32>, vector<2x3x4xi32>
}
func.func @extract_outside(%v: vector<2x3x4xi32>, %i: index) -> vector<4xi32> {
  %0 = vector.extract %v[0, %i] : vector<4xi32> from vector<2x3x4xi32>
  return %0 : vector<4xi32>
}
func.func @strided(%v: vector<2x3x4xi32>) -> (vector<1x2x4xi32>, vector<2x1x4xi32>, vector<2x3x4xi32>) {
  %0 = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [1, 2], strides = [1, 1]} : vector<2x3x4xi32> to vector<1x2x4xi32>
  %1 = vector.extract_strided_slice %v {offsets = [0, 1], sizes = [2, 1], strides = [1, 1]} : vector<2x3x4xi32> to vector<2x1x4xi32>
  %first = vector.extract %v[0] : vector<3x4xi32> from vector<2x3x4xi32>
  %part = vector.extract_strided_slice %first {offsets = [0, 0], sizes = [2, 2], strides = [1, 1]} : vector<3x4xi32> to vector<2x2xi32>
  %2 = vector.insert_strided_slice %part, %v {offsets = [1, 1, 2], strides = [1, 1]} : vector<2x2xi32> into vector<2x3x4xi32>
  return %0, %1, %2 : vector<1x2x4xi32>, vector<2x1x4xi32>, vector<2x3x4xi32>
}
func.func @reshape(%v: vector<2x3x4xi32>, %x: i32) -> (vector<4x2x3xi32>, vector<4x6xi32>, vector<1xi32>, vector<i32>, vector<24xi32>) {
  %0 = vector.transpose %v, [2, 0, 1] : vector<2x3x4xi32> to vector<4x2x3xi32>
  %1 = vector.shape_cast %v : vector<2x3x4xi32> to vector<4x6xi32>
  %s = vector.broadcast %x : i32 to vector<i32>
  %2 = vector.shape_cast %s : vector<i32> to vector<1xi32>
  %3 = vector.shape_cast %2 : vector<1xi32> to vector<i32>
  %4 = vector.shape_cast %1 : vector<4x6xi32> to vector<24xi32>
  return %0, %1, %2, %3, %4 : vector<4x2x3xi32>, vector<4x6xi32>, vector<1xi32>, vector<i32>, vector<24xi32>
}
func.func @bits(%v: vector<2x2xi32>) -> (vector<2x8xi8>, vector<2x2xi32>, vector<2x1xi64>, vector<2x16xi4>, vector<2x2xi32>, vector<2x4xi16>) {
  %0 = vector.bitcast %v : vector<2x2xi32> to vector<2x8xi8>
  %1 = vector.bitcast %0 : vector<2x8xi8> to vector<2x2xi32>
  %2 = vector.bitcast %v : vector<2x2xi32> to vector<2x1xi64>
  %3 = vector.bitcast %2 : vector<2x1xi64> to vector<2x16xi4>
  %h = vector.bitcast %3 : vector<2x16xi4> to vector<2x4xf16>
  %f = vector.bitcast %h : vector<2x4xf16> to vector<2x2xf32>
  %4 = vector.bitcast %f : vector<2x2xf32> to vector<2x2xi32>
  %5 = vector.bitcast %h : vector<2x4xf16> to vector<2x4xi16>
  return %0, %1, %2, %3, %4, %5 : vector<2x8xi8>, vector<2x2xi32>, vector<2x1xi64>, vector<2x16xi4>, vector<2x2xi32>, vector<2x4xi16>
}
func.func @odd_bits(%v: vector<2xi24>) -> vector<3xi16> {
  %0 = vector.bitcast %v : vector<2xi24> to vector<3xi16>
  return %0 : vector<3xi16>
}
func.func @element(%v: vector<3xi32>, %i: i8, %j: index) -> (i32, vector<3xi32>, vector<i32>) {
  %0 = vector.extractelement %v[%i : i8] : vector<3xi32>
  %1 = vector.insertelement %0, %v[%j : index] : vector<3xi32>
  %x = vector.extractelement %v[%j : index] : vector<3xi32>
  %z = vector.splat %0 : vector<i32>
  %2 = vector.insertelement %x, %z[] : vector<i32>
  return %0, %1, %2 : i32, vector<3xi32>, vector<i32>
}
func.func @masks(%a: index, %b: index, %c: index) -> (vector<3x4xi1>, vector<3x4xi1>, vector<3x4xi1>, vector<i1>, vector<i1>) {
  %0 = vector.create_mask %a, %c : vector<3x4xi1>
  %1 = vector.create_mask %b, %c : vector<3x4xi1>
  %2 = vector.constant_mask [1, 3] : vector<3x4xi1>
  %3 = vector.create_mask %a : vector<i1>
  %4 = vector.constant_mask [0] : vector<i1>
  return %0, %1, %2, %3, %4 : vector<3x4xi1>, vector<3x4xi1>, vector<3x4xi1>, vector<i1>, vector<i1>
}
func.func @fma(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.fma %x, %y, %z : vector<4xf32>
  return %0 : vector<4xf32>
}
