import { defineWords } from 'renown/pages'
import english from './en'

/** The words of reviews in the inbox and the frame. */
export const reviewWords = defineWords('reviews', import.meta.dir, english)
