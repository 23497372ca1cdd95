/** The work failed: exit code 1. The message is one line; the hint says what to do. */
export class Failure extends Error {
  readonly exitCode: number = 1
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** Wrong usage of a command: exit code 2. */
export class UsageError extends Failure {
  override readonly exitCode = 2
}

/** The server refused the request. */
export class ServerRefusal extends Failure {
  readonly status: number

  constructor(status: number, message: string, hint?: string) {
    super(message, hint)
    this.status = status
  }
}
