/** A binary heap of numbers; `pop` returns the smallest, undefined if it is empty. */
export class MinHeap {
  readonly #items: number[] = []

  push(item: number): void {
    const items = this.#items
    let at = items.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (items[parent]! <= item) break
      items[at] = items[parent]!
      at = parent
    }
    items[at] = item
  }

  pop(): number | undefined {
    const items = this.#items
    const smallest = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return smallest
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child++
      if (items[child]! >= last) break
      items[at] = items[child]!
      at = child
    }
    items[at] = last
    return smallest
  }
}
