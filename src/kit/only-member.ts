/** The `Alone` of a server with a database of its own: it is the only node. */
export const onlyNode = (_name: string, work: () => Promise<void>): Promise<void> => work()
