import { defineWords } from 'renown/pages'
import english from './en'

/** The words of AI visibility in the inbox, in notifications and in the frame. */
export const visibilityWords = defineWords('visibility', import.meta.dir, english)
