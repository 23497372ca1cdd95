/**
 * The nth highest of some numbers, from 1 on; changes their order. Quickselect: in time that grows with their number,
 * where sorting takes several times as long.
 */
export function nthHighest(numbers: Float32Array, nth: number): number {
  const wanted = numbers.length - nth
  let first = 0
  let last = numbers.length - 1
  while (first < last) {
    const pivot = middleOf(numbers[first]!, numbers[(first + last) >> 1]!, numbers[last]!)
    let left = first
    let right = last
    while (left <= right) {
      while (numbers[left]! < pivot) left++
      while (numbers[right]! > pivot) right--
      if (left > right) break
      const lower = numbers[right]!
      numbers[right--] = numbers[left]!
      numbers[left++] = lower
    }
    // Up to `right` none is above the pivot, from `left` on none is below it, and what is between equals it.
    if (wanted <= right) last = right
    else if (wanted >= left) first = left
    else return pivot
  }
  return numbers[wanted]!
}

const middleOf = (one: number, two: number, three: number): number =>
  Math.max(Math.min(one, two), Math.min(Math.max(one, two), three))
