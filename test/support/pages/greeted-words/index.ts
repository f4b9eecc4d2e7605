import { defineWords } from '../../../../core/doors/pages'
import english from './en'

/** Words of a page of a test. */
export const greetedWords = defineWords('greeted', import.meta.dir, english)
