/** Gives a turn of the event loop to others. One post can cost milliseconds, so a loop over posts calls this for each. */
export const othersRan = (): Promise<void> => new Promise((end) => void setImmediate(end))
