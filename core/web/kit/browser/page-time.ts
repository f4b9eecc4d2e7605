import type { Messages } from '../../../contracts/words'
import type { PageMessages } from '../../../kit/phrases'
import { createContext, useContext } from '../jsx/hooks'

/** The time zone of a page's workspace, the time at which the page was made, and its language. */
export interface PageTime {
  readonly timezone: string
  /** ISO 8601; null for absolute times. */
  readonly now: string | null
  /** Default: English, without words of a room. */
  readonly language?: PageLanguage | undefined
}

/** The language of a page, and the words that it needs: only those of its own room. */
export interface PageLanguage {
  readonly lang: string
  /** The words of the room of the page. */
  readonly own: PageMessages
  /** The words of the shared parts. Default: in English. The scripts of pages do not have them. */
  readonly parts?: Messages
}

const Time = createContext<PageTime>({ timezone: 'UTC', now: null })

/** Sets the time of a page for every `Moment` in it. */
export const TimeOf = Time.Provider

/** The time of the page, for components with their own time formats. */
export const usePageTime = (): PageTime => useContext(Time)
