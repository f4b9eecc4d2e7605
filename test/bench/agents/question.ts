import type { DemoFacts } from './demo-world'

/** A call of a tool, as an assistant makes it. */
export interface PlannedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A question of an owner, the calls that answer it, and the figures that the answers must have. */
export interface Question {
  readonly asks: string
  readonly calls: readonly PlannedCall[]
  /** Picks the figures from the answers of the calls, without the marks around the words of strangers. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is any JSON, and a wrong field is a wrong figure
  figures(...answers: any[]): unknown
  /** Computes the same figures from the rows of the demo. */
  expected(demo: DemoFacts): unknown
}

/** A question that one call answers. */
export const asked = (
  asks: string,
  tool: string,
  args: PlannedCall['args'],
  figures: Question['figures'],
  expected: Question['expected'],
): Question => ({ asks, calls: [{ tool, args }], figures, expected })
