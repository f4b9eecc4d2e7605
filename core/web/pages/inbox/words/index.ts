import { defineWords } from '../../../../kit/word-catalogs'
import english from './en'

/** The words of the inbox and of the entries that core puts there. */
export const inboxWords = defineWords('inbox', import.meta.dir, english)
