import { defineWords } from '../../../../core'
import english from './en'

/** Words of a page of a test. */
export const greetedWords = defineWords('greeted', import.meta.dir, english)
