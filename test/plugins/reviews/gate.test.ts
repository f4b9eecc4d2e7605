import { testPlugin } from 'renown/testing'
import reviews from '../../../plugins/reviews/index'

testPlugin(reviews)
