/** The work failed: exit code 1. The message is one line; the hint says what to do. */
export class Failure extends Error {
  readonly exitCode: number = 1
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** A job of the server failed. */
export class FailedJob extends Failure {
  readonly code: string | undefined
  /** The file that made it fail. */
  readonly file: string | undefined

  constructor(
    message: string,
    hint: string,
    { code, file }: { code?: string | undefined; file?: string | undefined } = {},
  ) {
    super(message, hint)
    this.code = code
    this.file = file
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
