/** Returns a name as errors repeat it: at most 80 characters of what the caller sent. */
export const echoed = (name: string): string => name.slice(0, 80)
