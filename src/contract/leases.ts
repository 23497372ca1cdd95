/**
 * The right to change a namespace. One member has it at a time; a job has that of its namespace from its beginning until its
 * chunks are swept.
 */
export type Lease = {
  readonly namespace: string
  /**
   * The fence: no two leases of a namespace have the same. What changes the namespace shows it to the database in the same
   * transaction, which refuses that of a lease that is over: a process may be frozen for any time between a look and a write.
   */
  readonly epoch: number
  /** Aborts once the lease is lost, or may be: the member could not tell the database in time that it is alive. */
  readonly lost: AbortSignal
  /** Gives the lease back. Where it was lost, the member may take it again from now on. */
  release(): Promise<void>
}

/** The leases of namespaces, of all members together. A lease of a member that is gone is given to another one. */
export type Leases = {
  /**
   * Waits for the lease of a namespace. No queued job of the namespace begins before.
   *
   * @throws the reason of `signal`; SluiceError `stopping` where this member is closed
   */
  take(namespace: string, signal?: AbortSignal): Promise<Lease>
  /** The lease of a namespace that this member has. */
  held(namespace: string): Pick<Lease, 'epoch'> | undefined
}
