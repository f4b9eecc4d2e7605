import { defineWords } from '../../../kit/word-catalogs'
import english from './en'

/** The words of the frame around every page. */
export const frameWords = defineWords('frame', import.meta.dir, english)
