/** What passed a line of the drawing: a chunk, a call, a hit. Both texts are short. */
export type LineItem = { title: string; text: string }

/** How many of the last items of a line are kept. */
export const LINE_ITEMS = 3

/** What passed from one node of the drawing to another in a run, the last items last. `unit`: what is counted, in the plural. */
export type RunLine = { from: string; to: string; unit: string; count: number; items: LineItem[] }
