export * from './kit/index'
export { enrichmentStatus } from './tenancy/states'
