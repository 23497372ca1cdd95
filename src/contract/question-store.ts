/** Limits of the questions of a flow: how many, and of one its characters, its judgements and the characters of a passage. */
export const QUESTION_LIMITS = { questions: 2000, text: 2000, judgements: 100, quote: 4000, runs: 100 }

/** Only `accepted` questions are measured and compared. A `proposed` one waits for a person: it may warn, and never chooses. */
export const QUESTION_STATES = ['accepted', 'proposed'] as const
export type QuestionState = (typeof QUESTION_STATES)[number]

/** Where a question came from: a judged hit, a passage picked in a document, feedback of a visitor, a file, or this program. */
export const QUESTION_ORIGINS = ['hit', 'document', 'feedback', 'import', 'proposal'] as const
export type QuestionOrigin = (typeof QUESTION_ORIGINS)[number]

/**
 * A range of the text of a source. It is known by its text, so that it survives another cutting; the place tells equal texts apart and
 * is a hint alone: it moves with the text before it.
 */
export type JudgedPassage = {
  /** The text of the range as the source has it. */
  quote: string
  /** Where it began and ended in the text of its source, in characters; absent where that is not known. */
  start?: number
  end?: number
}

/** How well a source, or a passage of it, answers a question. */
export type QuestionJudgement = {
  /** The name of the source in the store: `metadata.source`. */
  source: string
  /** Absent where any chunk of the source is meant. */
  passage?: JudgedPassage
  /** 0: judged wrong. From 1: right, larger is better. */
  grade: number
}

/** A question of a flow. A flow has each text once, whatever its case and blanks. */
export type Question = {
  id: string
  flowId: string
  text: string
  state: QuestionState
  origin: QuestionOrigin
  /** May be empty: such a question is told and not counted. */
  judgements: QuestionJudgement[]
  /** In ms since 1970. */
  createdAt: number
  updatedAt: number
}

/** Why a question was not counted: it has no judgement that is right, or what is judged right is not in the store any more. */
export const UNCOUNTED_REASONS = ['unjudged', 'gone'] as const
export type UncountedReason = (typeof UNCOUNTED_REASONS)[number]

/** How a flow answered one question. */
export type QuestionResult = {
  question: string
  /** As it was asked. */
  text: string
  /** The place of the first right hit among the hits that users get, from 1; null where none is right. */
  place: number | null
  /** 0 to 1; null where the question was not counted. */
  ndcg10: number | null
  recall10: number | null
  /** How long the query took inside the process, in milliseconds. */
  ms: number
  /** Present where it was not counted. */
  uncounted?: UncountedReason
  /** Judged sources and passages that are not in the store any more, by the name of the source. */
  gone?: string[]
}

/** Means over the questions that were counted; null where there is none. Times in milliseconds. */
export type QuestionMeasures = {
  /** How many questions were asked, and how many of them were counted. */
  asked: number
  counted: number
  ndcg10: number | null
  recall10: number | null
  /** The share of the questions whose first hit is right. */
  first: number | null
  p50: number | null
  p95: number | null
}

/** What started a run: a person, or an upsert. */
export const RUN_CAUSES = ['asked', 'upsert'] as const
export type RunCause = (typeof RUN_CAUSES)[number]

/** One run of the accepted questions of a flow, whole: a run that was cancelled or failed is not kept. */
export type QuestionRun = {
  /** The id of its job. */
  id: string
  flowId: string
  /** The revision of the flow that was asked. */
  revision: number
  cause: RunCause
  measures: QuestionMeasures
  results: QuestionResult[]
  /** In ms since 1970. */
  startedAt: number
  finishedAt: number
}

/** A run without the result of each question. */
export type QuestionRunHead = Omit<QuestionRun, 'results'>

/** Which questions of a flow are listed. */
export type QuestionPage = {
  state?: QuestionState | undefined
  /** A part of the text, each letter in either case. */
  search?: string | undefined
  offset: number
  limit: number
}

/** A change of a question. Judgements of `put` replace those of the same source and quote. */
export type QuestionChange = {
  text?: string | undefined
  state?: QuestionState | undefined
  put?: readonly QuestionJudgement[] | undefined
  drop?: readonly Pick<QuestionJudgement, 'source' | 'passage'>[] | undefined
  now: number
}

/** The questions of flows, and what their runs gave. All of it goes with the flow. */
export type QuestionStore = {
  /** The oldest first. */
  list(flowId: string, page: QuestionPage): Promise<{ rows: Question[]; total: number }>
  find(flowId: string, id: string): Promise<Question | undefined>
  /** How many questions of each state a flow has. */
  counts(flowId: string): Promise<Record<QuestionState, number>>
  /**
   * Stores questions, all or none. One whose text the flow has already adds its judgements to that one, and accepts it if it is accepted
   * itself. Resolves with the stored questions, in the order given.
   *
   * @throws SluiceError `questions_full`, `question_over_limit`, `flow_not_found`
   */
  put(flowId: string, questions: readonly Question[]): Promise<{ stored: Question[]; added: number }>
  /** @throws SluiceError `question_taken` where another question of the flow has the text, `question_over_limit` */
  change(flowId: string, id: string, change: QuestionChange): Promise<Question | undefined>
  /** Resolves with how many there were. Without ids: all of a state. */
  remove(flowId: string, which: { ids: readonly string[] } | { state: QuestionState }): Promise<number>
  /** Stores a run, or replaces the one with its id; of each flow the newest {@link QUESTION_LIMITS} stay. */
  keepRun(run: QuestionRun): Promise<void>
  /** Newest first. */
  runs(
    flowId: string,
    page: { offset: number; limit: number },
  ): Promise<{ rows: QuestionRunHead[]; total: number }>
  run(flowId: string, id: string): Promise<QuestionRun | undefined>
  /** The newest runs, newest first, with the result of each question. */
  lastRuns(flowId: string, limit: number): Promise<QuestionRun[]>
}
