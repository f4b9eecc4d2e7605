import { defineWords } from 'renown/pages'
import english from './en'

/** The words of AI traffic in the inbox, in notifications and in the frame. */
export const trafficWords = defineWords('traffic', import.meta.dir, english)
