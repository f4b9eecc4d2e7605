import { defineWords } from 'renown/pages'
import english from './en'

/** The words of posts in the inbox and the frame. */
export const postWords = defineWords('posts', import.meta.dir, english)
