import { defineWords } from 'renown/pages'
import english from './en'

/** The words of mentions and leads in the inbox and the frame. */
export const leadWords = defineWords('leads', import.meta.dir, english)
