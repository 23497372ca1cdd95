/** Cuts a list into batches: each has at most `count` items, and at most `bytes` unless it is one item alone. */
export function* callBatches<Item>(
  items: readonly Item[],
  { count, bytes = Infinity }: { count: number; bytes?: number },
  sizeOf: (item: Item) => number = () => 0,
): Generator<Item[]> {
  let batch: Item[] = []
  let size = 0
  for (const item of items) {
    const own = sizeOf(item)
    if (batch.length > 0 && (batch.length === count || size + own > bytes)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(item)
    size += own
  }
  if (batch.length > 0) yield batch
}

/** About how many bytes a point needs in JSON. A number of a vector has up to 22 characters. */
export const pointBytes = ({
  vector,
  text,
  metadata,
}: {
  vector: Float32Array
  text: string
  metadata: object
}) => 22 * vector.length + 2 * text.length + 2 * JSON.stringify(metadata).length + 500
