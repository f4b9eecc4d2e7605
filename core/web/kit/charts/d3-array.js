export { nice, ticks } from 'd3-array'
