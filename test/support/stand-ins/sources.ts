import type { FaultKind } from '../../../core/contracts/service-fault'

/** A public post that the suite puts at a source. */
export interface StandInPost {
  /** A number. The stand-in makes the source's own id of it. */
  readonly id: number
  readonly text: string
  readonly title?: string
  readonly author: string
  readonly at: Date
}

/** An error in the words of the source, and what it must mean. */
export interface StandInSourceError {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly kind: FaultKind
  readonly code?: string
  /** The wait that the source asks for, in milliseconds. */
  readonly waitMs?: number
}

/** A source of mentions as far as the suite drives it. */
export interface MentionStandIn {
  /** Answers a request as the source does. */
  fetch(request: Request): Promise<Response>
  /** Makes the source have exactly these posts. */
  set(posts: readonly StandInPost[]): void
  /** Returns the id that the source gives to a post. */
  idOf(post: Pick<StandInPost, 'id'>): string
  /** Returns the id of the post below which a post is found, if the source finds it only there. */
  parentOf?(id: string): string | undefined
  /** Errors in the source's own words. */
  readonly errors: Readonly<Record<string, StandInSourceError>>
  /** Requests that were not as the source documents them. */
  readonly complaints: string[]
}
