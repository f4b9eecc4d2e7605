/**
 * Whether a spy is being called by code of this file or folder. Test files share a process, so what an earlier one left behind can call
 * a global function while another spies on it.
 */
export const isCalledFrom = (path: string): boolean => (new Error().stack ?? '').includes(`/${path}`)
