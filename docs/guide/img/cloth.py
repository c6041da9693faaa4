#!/usr/bin/env python3
"""Draws the cloth of examples/cloth.c, with what it fell on: cloth.py cloth.obj cloth.png"""
import math
import struct
import sys
import zlib

WIDTH, HEIGHT, SAMPLES = 900, 560, 2


def obj(path):
    points, faces = [], []
    for line in open(path):
        word = line.split()
        if word and word[0] == "v":
            points.append(tuple(map(float, word[1:4])))
        elif word and word[0] == "f":
            faces.append(tuple(int(i) - 1 for i in word[1:4]))
    return points, faces


def ball(center, radius, n=48):
    points, faces = [], []
    for i in range(n + 1):
        for j in range(2 * n):
            a, b = math.pi * i / n, math.pi * j / n
            points.append((center[0] + radius * math.sin(a) * math.cos(b), center[1] + radius * math.sin(a) * math.sin(b),
                           center[2] + radius * math.cos(a)))
            if i < n:
                p, q = i * 2 * n + j, i * 2 * n + (j + 1) % (2 * n)
                faces += [(p, p + 2 * n, q), (q, p + 2 * n, q + 2 * n)]
    return points, faces


def box(center, half):
    points = [tuple(c + (h if k >> i & 1 else -h) for i, (c, h) in enumerate(zip(center, half))) for k in range(8)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return points, [t for q in quads for t in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]


def floor(size):
    return [(-size, -size, 0), (size, -size, 0), (size, size, 0), (-size, size, 0)], [(0, 1, 2), (0, 2, 3)]


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = math.sqrt(dot(a, a)) or 1
    return tuple(x / length for x in a)


EYE, AIM = (1.9, -3.1, 2.1), (0.06, -0.05, 0.27)
AHEAD = unit(sub(AIM, EYE))
RIGHT = unit(cross(AHEAD, (0, 0, 1)))
UP = cross(RIGHT, AHEAD)
LIGHT = unit((0.5, -0.45, 1.0))
W, H = WIDTH * SAMPLES, HEIGHT * SAMPLES


def project(p):
    v = sub(p, EYE)
    z = dot(v, AHEAD)
    f = 3.1 * H / 2 / z
    return W / 2 + f * dot(v, RIGHT), H / 2 - f * dot(v, UP), 1 / z


def draw(picture, depth, mesh, color, smooth):
    points, faces = mesh
    normals = [[0, 0, 0] for _ in points]
    flat = []
    for a, b, c in faces:
        n = cross(sub(points[b], points[a]), sub(points[c], points[a]))
        flat.append(unit(n))
        for i in (a, b, c):
            for k in range(3):
                normals[i][k] += n[k]
    screen = [project(p) for p in points]
    for face, n in zip(faces, flat):
        corner = [screen[i] for i in face]
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = corner
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if area == 0:
            continue
        lit = []
        for i in face:
            m = unit(normals[i]) if smooth else n
            toward = dot(m, sub(points[i], EYE)) < 0
            m = m if toward else tuple(-x for x in m)
            lit.append(0.30 + 0.70 * max(0, dot(m, LIGHT)))
        for y in range(max(0, int(min(y0, y1, y2))), min(H - 1, int(max(y0, y1, y2)) + 1) + 1):
            for x in range(max(0, int(min(x0, x1, x2))), min(W - 1, int(max(x0, x1, x2)) + 1) + 1):
                u = ((x1 - x) * (y2 - y) - (x2 - x) * (y1 - y)) / area
                v = ((x2 - x) * (y0 - y) - (x0 - x) * (y2 - y)) / area
                w = 1 - u - v
                if u < 0 or v < 0 or w < 0:
                    continue
                z = u * z0 + v * z1 + w * z2
                if z > depth[y * W + x]:
                    depth[y * W + x] = z
                    light = u * lit[0] + v * lit[1] + w * lit[2]
                    picture[y * W + x] = tuple(min(255, int(c * light)) for c in color)


def main():
    picture, depth = [(246, 247, 249)] * (W * H), [0.0] * (W * H)
    draw(picture, depth, floor(2.2), (222, 224, 228), False)
    draw(picture, depth, box((0.5, -0.1, 0.3), (0.3, 0.3, 0.3)), (90, 110, 140), False)
    draw(picture, depth, ball((-0.45, 0.1, 0.45), 0.45), (90, 110, 140), True)
    draw(picture, depth, obj(sys.argv[1]), (236, 122, 60), True)
    rows = bytearray()
    for y in range(HEIGHT):
        rows.append(0)
        for x in range(WIDTH):
            cells = [picture[(y * SAMPLES + j) * W + x * SAMPLES + i] for j in range(SAMPLES) for i in range(SAMPLES)]
            rows += bytes(sum(c[k] for c in cells) // len(cells) for k in range(3))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(sys.argv[2], "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)) +
                  chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


main()
