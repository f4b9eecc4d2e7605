/** Whether pictures and other golden files are written anew instead of compared. */
export const isWriting = process.env.RENOWN_GOLDEN === 'write'
