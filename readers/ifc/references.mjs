// References to lines that are not in the file. web-ifc takes most of them for "absent" and goes on without a word: a
// column without its place stands at the origin, a polygon without one of its corners is another one.

const HASH = 0x23, QUOTE = 0x27, SEMICOLON = 0x3b, ZERO = 0x30, SLASH = 0x2f, STAR = 0x2a
const EQUALS = 0x3d, SPACE = 0x20, POINT = 0x2e, OPEN = 0x28, CLOSE = 0x29, COMMA = 0x2c
const IN_NUMBERS = new Set(Buffer.from('+-.E')), NO_NUMBERS = 'does not consist of numbers'
const BEFORE_NUMBERS = new Set(Buffer.from('(,+-= \t\r\n'))
const KINDS_OF_NUMBERS = ['IFCCARTESIANPOINT', 'IFCDIRECTION'].map(name => Buffer.from(name))
const MOST_REPORTED = 100

/** The last byte of the string or comment that begins here; -1: it has no end. @param {Buffer} file @param {number} at */
const lastOf = (file, at) => (file[at] === QUOTE ? file.indexOf(QUOTE, at + 1) : file.indexOf('*/', at + 2) + 1 || -1)

/** Does a number with a point end at a D, and go on with another? web-ifc takes 1.0D3 for 1. @param {Buffer} file @param {number} at */
function isExponent(file, at) {
    const digit = (/** @type {number} */ c) => c >= ZERO && c <= ZERO + 9
    const next = file[at + 1] === 0x2b || file[at + 1] === 0x2d ? file[at + 2] : file[at + 1]
    if (!digit(next)) return false
    let from = at, point = false
    for (; digit(file[from - 1]) || file[from - 1] === 0x2e; from--) point ||= file[from - 1] === 0x2e
    return point && '(,+- \n\r\t'.includes(String.fromCharCode(file[from - 1]))
}

/** Makes capitals of what is not in quotes, in place: keywords in small letters are unknown to web-ifc, which drops them.
 * The first word that had small letters, or "". @param {Buffer} file */
export function upperCase(file) {
    let first = -1
    for (let i = 0; i < file.length; i++) {
        const c = file[i]
        if (c === QUOTE || (c === SLASH && file[i + 1] === STAR)) {
            i = lastOf(file, i)
            if (i < 0) break
        } else if (c >= 0x61 && c <= 0x7a) {
            if (first < 0) first = i
            file[i] = c - 0x20
        }
        if (file[i] === 0x44 && isExponent(file, i)) file[i] = 0x45
    }
    return first < 0 ? '' : (/[A-Z0-9_]+$/.exec(file.toString('latin1', Math.max(0, first - 40), first + 1))?.[0] ?? '') + (/^[A-Z0-9_]*/.exec(file.toString('latin1', first + 1, first + 41))?.[0] ?? '')
}

/** The file with a zero before each number that begins with its point, and how many these are: of (.5,0.) web-ifc takes
 * an enumeration, and 5 besides. @param {Buffer} file */
export function leadingZeros(file) {
    /** @type {number[]} */
    const places = []
    for (let i = file.indexOf('DATA;') + 5; i < file.length; i++) {
        const c = file[i]
        if (c === QUOTE || (c === SLASH && file[i + 1] === STAR)) {
            i = lastOf(file, i)
            if (i < 0) break
        } else if (c === POINT && file[i + 1] >= ZERO && file[i + 1] <= ZERO + 9 && !(file[i - 1] >= ZERO) && BEFORE_NUMBERS.has(file[i - 1])) places.push(i)
    }
    if (places.length === 0) return { file, count: 0 }
    const longer = Buffer.concat([file, file.subarray(0, places.length)]).fill(ZERO)
    let from = 0
    places.forEach((to, k) => {
        longer.set(file.subarray(from, to), from + k)
        from = to
    })
    longer.set(file.subarray(from), from + places.length)
    return { file: longer, count: places.length }
}

/** Points and directions are of one to three numbers. web-ifc takes the first three of more, as of (1,5,0,0,2,5) with
 * decimal commas, and 0 for what is none. What is wrong with the line, or "". @param {Buffer} file @param {number} behind its number */
function wrongNumbers(file, behind) {
    let at = behind
    while (file[at] === EQUALS || file[at] <= SPACE) at++
    const kind = KINDS_OF_NUMBERS.find(name => file[at + 3] === name[3] && name.every((byte, k) => file[at + k] === byte))
    if (!kind) return ''
    at += kind.length
    if (file[at] > SPACE && file[at] !== OPEN) return '' // another kind's name goes on
    const stop = file.indexOf(SEMICOLON, at)
    let count = 1, digits = 0, depth = 0
    for (; at < stop; at++) {
        const c = file[at]
        if (c >= ZERO && c <= ZERO + 9) digits++
        else if (c === OPEN) depth++
        else if (c === CLOSE || c === COMMA) {
            if (digits === 0) break
            if (c === CLOSE) return depth !== 2 ? NO_NUMBERS : count > 3 ? `has ${count} numbers, not 3` : ''
            count++
            digits = 0
        } else if (c === SLASH && file[at + 1] === STAR) at = file.indexOf('*/', at + 2) + 1
        else if (c > SPACE && !IN_NUMBERS.has(c)) break
    }
    return NO_NUMBERS
}

/** A set of whole numbers: bits for what is small, which all are in most files. */
class Numbers {
    constructor() {
        this.bits = new Uint32Array(1 << 16)
        /** @type {Set<number>} */
        this.large = new Set()
    }
    /** True where it was there already. @param {number} n */
    add(n) {
        if (n >= 2 ** 30) return this.large.has(n) || !this.large.add(n)
        if (n >>> 5 >= this.bits.length) {
            const bits = new Uint32Array(Math.max(2 * this.bits.length, (n >>> 5) + 1))
            bits.set(this.bits)
            this.bits = bits
        }
        const was = (this.bits[n >>> 5] & (1 << (n & 31))) !== 0
        this.bits[n >>> 5] |= 1 << (n & 31)
        return was
    }
    /** @param {number} n */
    has(n) { return n >= 2 ** 30 ? this.large.has(n) : (this.bits[n >>> 5] & (1 << (n & 31))) !== 0 }
}

/** Calls `line` for each definition, with the place behind its number, and `refer` for each reference of the data section, in order.
 * @param {Buffer} file @param {(id: number, behind: number) => void} line @param {(id: number) => void} refer */
function scan(file, line, refer) {
    let start = true // of a line: the next number is its own
    for (let i = file.indexOf('DATA;') + 5; i < file.length; i++) {
        const c = file[i]
        if (c === QUOTE || (c === SLASH && file[i + 1] === STAR)) {
            i = lastOf(file, i)
            if (i < 0) return
        } else if (c === SEMICOLON) start = true
        else if (c === HASH) {
            let id = 0
            for (; file[i + 1] >= ZERO && file[i + 1] <= ZERO + 9; i++) id = 10 * id + file[i + 1] - ZERO
            if (start) line(id, i + 1)
            else refer(id)
            start = false
        }
    }
}

/** Lines that refer to what is not there, lines that are there twice, and points that are none; the first hundred of them.
 * @param {Buffer} file @returns {{line: number, reason: string}[]} */
export function brokenLines(file) {
    const defined = new Numbers()
    /** @type {{line: number, reason: string}[]} */
    const broken = []
    const report = (/** @type {number} */ line, /** @type {string} */ reason) => {
        if (broken.length < MOST_REPORTED) broken.push({ line, reason })
    }
    /** @type {number[]} */
    const ahead = [] // lines, each with one that it refers to and that is not there so far: most stand before
    let current = 0
    scan(file, (id, behind) => {
        current = id
        if (defined.add(id)) report(id, `#${id} stands in the file twice`)
        const wrong = wrongNumbers(file, behind)
        if (wrong) report(id, `#${id} ${wrong}`)
    }, id => {
        if (!defined.has(id)) ahead.push(current, id)
    })
    for (let k = 0; k < ahead.length; k += 2) if (!defined.has(ahead[k + 1])) report(ahead[k], `refers to #${ahead[k + 1]}, which is not in the file`)
    return broken
}

/** The file with other lines, and with more at its end. @param {Buffer} file
 * @param {Map<number, (text: string) => string>} changed what becomes of the text behind `#1=` @param {string} added */
export function replaceLines(file, changed, added) {
    /** @type {Buffer[]} */
    const pieces = []
    let copied = 0
    const take = (/** @type {(text: string) => string} */ change, /** @type {number} */ from, /** @type {number} */ to) => {
        const text = change(file.toString('latin1', from, to).replace(/^\s*=\s*|\s+$/g, ''))
        pieces.push(file.subarray(copied, from), Buffer.from(`=${text}`, 'latin1'))
        copied = to
    }
    scan(file, (id, behind) => {
        const change = changed.get(id)
        if (change) take(change, behind, file.indexOf(SEMICOLON, behind)) // no line that is replaced has a text with one
    }, () => {})
    const end = file.lastIndexOf('ENDSEC')
    return Buffer.concat([...pieces, file.subarray(copied, end), Buffer.from(added, 'latin1'), file.subarray(end)])
}
