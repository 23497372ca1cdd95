/** The nodes of the drawing from which parts were built. A part that is gone is forgotten. */
const nodeIds = new WeakMap<object, string>()

/** Notes from which node a part was built: the first one that names it. */
export function notePartNode(part: object, nodeId: string): void {
  if (!nodeIds.has(part)) nodeIds.set(part, nodeId)
}

/** The node from which a part was built, for the record of a run; undefined where it is not in the drawing. */
export const nodeOfPart = (part: object | undefined): string | undefined => part && nodeIds.get(part)
