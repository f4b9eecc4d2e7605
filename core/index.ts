/// <reference types="bun-types" />
export * from './kit/index'
