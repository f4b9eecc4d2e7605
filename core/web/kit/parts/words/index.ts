import { defineWords } from '../../../../kit/word-catalogs'
import english from './en'

/** The words of the parts that pages share, for the server. */
export const partWords = defineWords('parts', import.meta.dir, english)
