/**
 * Does some work on one node at a time, by its name; a node that finds another one at it skips the work. A server with a database
 * of its own is the only node.
 */
export type Alone = (name: string, work: () => Promise<void>) => Promise<void>
