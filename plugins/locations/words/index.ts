import { defineWords } from 'renown/pages'
import english from './en'

/** The words of locations in the frame. */
export const locationWords = defineWords('locations', import.meta.dir, english)
