/** The result of a check. What is wrong has a remedy. The list of checks adds the name. */
export type Finding =
  | { readonly status: 'ok'; readonly found: string; readonly mend?: undefined }
  | { readonly status: 'warn' | 'fail'; readonly found: string; readonly mend: string }

/** One check: what it found, and how to fix it where something is wrong. */
export type Check = Finding & { readonly name: string }
