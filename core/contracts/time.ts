/** A minute, in milliseconds. */
export const minuteMs = 60_000
/** An hour, in milliseconds. */
export const hourMs = 60 * minuteMs
/** 24 hours, in milliseconds. A day of a time zone can be an hour shorter or longer. */
export const dayMs = 24 * hourMs
