/** The `Alone` of a server with a database of its own: it is the only member. */
export const onlyMember = (_name: string, work: () => Promise<void>): Promise<void> => work()
