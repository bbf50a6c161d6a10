// Loaded before a program (plantingFlags), with the plant in its own address.
import { type Plant, plantIn } from './plants.ts'

plantIn(JSON.parse(new URL(import.meta.url).searchParams.get('plant') ?? '') as Plant)
