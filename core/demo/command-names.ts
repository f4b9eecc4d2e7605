/** Commands that the command line calls by name: it shows the progress of the first with the second. */
export const demoCommands = { create: 'demo create', status: 'demo show' } as const
