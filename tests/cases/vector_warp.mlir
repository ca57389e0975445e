// check: 'vector.warp_execute_on_lane_0' is not supported
// want: error
func.func @f(%lane: index, %v: vector<4xi32>) -> vector<1xi32> {
  %0 = vector.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xi32>) -> (vector<1xi32>) {
  ^bb0(%a: vector<128xi32>):
    %1 = vector.extract_strided_slice %a {offsets = [0], sizes = [32], strides = [1]} : vector<128xi32> to vector<32xi32>
    vector.yield %1 : vector<32xi32>
  }
  return %0 : vector<1xi32>
}
