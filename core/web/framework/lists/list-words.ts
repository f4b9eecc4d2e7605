import type { ListAct, ListMarking } from '../../../contracts/list'
import type { PageContext } from '../../../contracts/page'
import type { Wording } from '../../../contracts/words'
import { shownText } from '../../../kit/phrases'

/** Returns a text of a list in the language of its page. */
export const inWords = ({ language, workspace }: PageContext, wording: Wording): string =>
  shownText(wording, { lang: language, timezone: workspace.timezone }).text

/** Whether what is done with several rows is a mark, and not an act of a plugin. */
export const isMark = (act: ListAct['act']): act is ListMarking => !('declared' in act)
