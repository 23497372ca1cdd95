/**
 * Does some work on one member at a time, by its name; a member that finds another one at it skips the work. A server with a database
 * of its own is the only member.
 */
export type Alone = (name: string, work: () => Promise<void>) => Promise<void>
