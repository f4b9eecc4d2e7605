import { defineWords } from 'renown/pages'
import english from './en'

/** The words of reports in the inbox and the frame. */
export const reportWords = defineWords('reports', import.meta.dir, english)
