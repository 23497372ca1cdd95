/** Sixteen classes for each doubling: a class gives a length to within 2 %. */
const CLASSES_PER_DOUBLING = 16

/** The class of a passage by its count of terms, in one byte. */
export const classOf = (terms: number): number =>
  Math.min(255, Math.round(CLASSES_PER_DOUBLING * Math.log2(1 + terms)))

/** Lengths are multiples of 1 / 1024: so the sum of many is exact, and the same in any order. */
const PARTS = 1024

/** How many terms passages of each class have. */
export const LENGTHS: Float64Array = Float64Array.from(
  { length: 256 },
  (_, lengthClass) => Math.round((2 ** (lengthClass / CLASSES_PER_DOUBLING) - 1) * PARTS) / PARTS,
)
