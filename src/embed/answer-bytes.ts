/** The most bytes that a vector takes in an answer: some 4,000 numbers as JSON. */
const VECTOR_BYTES = 100_000
const REST_BYTES = 2 ** 20

/** The most bytes of an answer to a call that embeds at most so many texts. */
export const answerBytes = (texts: number): number => texts * VECTOR_BYTES + REST_BYTES
