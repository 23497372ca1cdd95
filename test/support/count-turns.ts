/** Counts the turns of the event loop until it is disposed of. */
export function countTurns(): { readonly count: number } & Disposable {
  let count = 0
  let isOver = false
  const next = () => {
    count++
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return {
    get count() {
      return count
    },
    [Symbol.dispose]() {
      isOver = true
    },
  }
}
