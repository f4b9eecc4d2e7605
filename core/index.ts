/// <reference types="bun-types" />
export * from './kit/index'
export { enrichmentStatus } from './tenancy/states'
