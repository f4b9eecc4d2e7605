/** Types and schemas shared by the gate and the counter. No I/O. */
export * from './context'
export * from './entity'
export * from './errors'
export * from './operation'
export * from './plugin'
export * from './settings'
export * from './traffic'
export * from './where'
