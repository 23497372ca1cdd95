/**
 * The right to change a namespace. One node has it at a time; a job has that of its namespace from its beginning until its
 * chunks are swept.
 */
export type NodeTurn = {
  readonly lane: string
  /**
   * The fence: no two turns of a lane have the same. What changes the namespace shows it to the database in the same
   * transaction, which refuses that of a turn that is over: a process may be frozen for any time between a look and a write.
   */
  readonly epoch: number
  /** Aborts once the turn is lost, or may be: the node could not tell the database in time that it is alive. */
  readonly lost: AbortSignal
  /** Gives the turn back. Where it was lost, the node may take it again from now on. */
  release(): Promise<void>
}

/** The turns of namespaces, of all nodes together. A turn of a node that is gone is given to another one. */
export type NodeTurns = {
  /**
   * Waits for the turn of a lane. No queued job of the lane begins before.
   *
   * @throws the reason of `signal`; SluiceError `stopping` where this node is closed
   */
  take(lane: string, signal?: AbortSignal): Promise<NodeTurn>
  /** The turn of a lane that this node has. */
  held(lane: string): Pick<NodeTurn, 'epoch'> | undefined
}
