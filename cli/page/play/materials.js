/* Materials of the layers: half-spaces, arrows, boxes, swept volumes, bursts, and dots for what is too small to see. */

/* --- half-spaces: a grid that fades out; the solid side is filled where it is seen from outside -------------------- */

const GROUND_VERTEX = `
  varying vec2 place;
  void main() {
    place = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const GROUND_FRAGMENT = `
  uniform vec3 fill, ink;
  uniform float spacing, extent, strength;
  varying vec2 place;
  float lines(float step) {
    vec2 at = place / step, wide = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(wide, vec2(1e-6));
    float seen = 1.0 - smoothstep(0.15, 0.6, max(wide.x, wide.y));
    return (1.0 - min(min(near.x, near.y), 1.0)) * seen;
  }
  void main() {
    float fade = 1.0 - smoothstep(0.35, 1.0, length(place) / extent);
    float line = max(0.38 * lines(spacing), 0.7 * lines(spacing * 5.0));
    float solid = gl_FrontFacing ? 0.62 : 0.0;
    float alpha = max(solid, line) * fade * strength;
    if (!gl_FrontFacing) alpha *= 0.35;
    gl_FragColor = vec4(mix(fill, ink, solid > 0.0 ? line : 1.0), alpha);
  }`;

function makeGroundMaterial(colors, spacing, extent) {
  return new THREE.ShaderMaterial({
    vertexShader: GROUND_VERTEX,
    fragmentShader: GROUND_FRAGMENT,
    uniforms: {
      fill: { value: colors.floor },
      ink: { value: colors['floor-line'] },
      spacing: { value: spacing },
      extent: { value: extent },
      strength: { value: 1 },
    },
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    extensions: { derivatives: true },
  });
}

/* --- arrows of one length on the screen ------------------------------------------------------------------------------ */

const ARROW_VERTEX = `
  attribute vec3 at, along;
  attribute float reach; /* the size of what touches */
  uniform float pixels, perPixel; /* the most; of the scene, at distance 1 */
  varying vec3 facing;
  void main() {
    vec3 w = normalize(along), u = normalize(cross(abs(w.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), w));
    mat3 turn = mat3(u, cross(w, u), w);
    float most = pixels * perPixel * -(modelViewMatrix * vec4(at, 1.0)).z;
    float size = clamp(1.5 * reach, 0.35 * most, most);
    facing = normalMatrix * (turn * normal);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(at + turn * position * size, 1.0);
  }`;

const ARROW_FRAGMENT = `
  uniform vec3 color;
  uniform float opacity;
  varying vec3 facing;
  void main() {
    float light = 0.72 + 0.28 * normalize(facing).z;
    gl_FragColor = vec4(color * light, opacity);
  }`;

/* Along z from 0 to 1. */
function arrowGeometry() {
  const position = [],
    normal = [],
    sides = 10;
  const ring = (z, radius, k) => [radius * Math.cos((k * 2 * Math.PI) / sides), radius * Math.sin((k * 2 * Math.PI) / sides), z];
  const band = (z0, r0, z1, r1) => {
    for (let k = 0; k < sides; k++) {
      const quad = [ring(z0, r0, k), ring(z0, r0, k + 1), ring(z1, r1, k + 1), ring(z1, r1, k)];
      for (const c of [0, 1, 2, 0, 2, 3]) {
        position.push(...quad[c]);
        const turn = ((c === 0 || c === 3 ? k : k + 1) * 2 * Math.PI) / sides;
        normal.push(...(z0 === z1 ? [0, 0, -1] : [Math.cos(turn), Math.sin(turn), 0]));
      }
    }
  };
  band(0, 0.035, 0.7, 0.035);
  band(0.68, 0, 0.68, 0.11);
  band(0.68, 0.11, 1, 0);
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
  return geometry;
}

function makeArrowMaterial(color, opacity, depthTest) {
  return new THREE.ShaderMaterial({
    vertexShader: ARROW_VERTEX,
    fragmentShader: ARROW_FRAGMENT,
    uniforms: { color: { value: color }, opacity: { value: opacity }, pixels: { value: 40 }, perPixel: { value: 1 } },
    transparent: true,
    depthWrite: false,
    depthTest,
    side: THREE.DoubleSide,
  });
}

/* --- boxes: the twelve edges of [low, high] -------------------------------------------------------------------------- */

const BOX_VERTEX = `
  attribute vec3 low, high;
  attribute float level;
  varying float shade;
  void main() {
    shade = level;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(mix(low, high, position), 1.0);
  }`;

const BOX_FRAGMENT = `
  uniform vec3 first, last;
  uniform float opacity;
  varying float shade;
  void main() { gl_FragColor = vec4(mix(first, last, shade), opacity * (1.0 - 0.45 * shade)); }`;

function boxGeometry() {
  const position = [];
  for (let axis = 0; axis < 3; axis++)
    for (let k = 0; k < 4; k++)
      for (const end of [0, 1]) {
        const p = [0, 0, 0];
        p[axis] = end;
        p[(axis + 1) % 3] = k & 1;
        p[(axis + 2) % 3] = k >> 1;
        position.push(...p);
      }
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  return geometry;
}

function makeBoxMaterial(first, last, opacity) {
  return new THREE.ShaderMaterial({
    vertexShader: BOX_VERTEX,
    fragmentShader: BOX_FRAGMENT,
    uniforms: { first: { value: first }, last: { value: last }, opacity: { value: opacity } },
    transparent: true,
    depthWrite: false,
  });
}

/* --- swept volumes ---------------------------------------------------------------------------------------------------
 * The surface of a convex shape swept from a start to an end pose: faces that look ahead stand at the end, the others
 * at the start, and an edge between one of each kind becomes a strip from start to end. For a straight way that is
 * exact; a turn is drawn as if every point went straight. */

const SWEPT_VERTEX = `
  attribute vec3 faceA, faceB, middleA, middleB;
  attribute float end; /* 0, 1: of a strip; -1: of a face */
  attribute vec4 start0, start1, start2, goal0, goal1, goal2;
  attribute vec3 tone;
  varying vec3 seen, paint;
  vec3 atStart(vec3 p) { vec4 q = vec4(p, 1.0); return vec3(dot(start0, q), dot(start1, q), dot(start2, q)); }
  vec3 atEnd(vec3 p) { vec4 q = vec4(p, 1.0); return vec3(dot(goal0, q), dot(goal1, q), dot(goal2, q)); }
  float ahead(vec3 n, vec3 c) {
    vec3 way = atEnd(c) - atStart(c);
    vec3 turned = vec3(dot(start0.xyz + goal0.xyz, n), dot(start1.xyz + goal1.xyz, n), dot(start2.xyz + goal2.xyz, n));
    return step(1e-6 * length(way), dot(turned, way));
  }
  void main() {
    float first = ahead(faceA, middleA), second = ahead(faceB, middleB);
    vec4 at = modelViewMatrix * vec4(mix(atStart(position), atEnd(position), end < 0.0 ? first : end), 1.0);
    paint = tone;
    seen = at.xyz;
    gl_Position = end >= 0.0 && first == second ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * at;
  }`;

const SWEPT_FRAGMENT = `
  uniform float opacity;
  varying vec3 seen, paint;
  void main() {
    vec3 n = normalize(cross(dFdx(seen), dFdy(seen)));
    float rim = 1.0 - abs(dot(n, normalize(seen)));
    gl_FragColor = vec4(paint, opacity * (0.45 + 0.55 * rim));
  }`;

function makeSweptMaterial() {
  return new THREE.ShaderMaterial({
    vertexShader: SWEPT_VERTEX,
    fragmentShader: SWEPT_FRAGMENT,
    uniforms: { opacity: { value: 0.34 } },
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    extensions: { derivatives: true },
  });
}

/* The faces and, between neighbors, strips of a mesh; null for one too fine to be drawn so. */
function sweptGeometry({ position: p, corner, triangles }) {
  if (triangles > 30000) return null;
  const face = [],
    middle = [];
  for (let t = 0; t < triangles; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => p.subarray(3 * corner[3 * t + k], 3 * corner[3 * t + k] + 3));
    const u = sub(b, a),
      v = sub(c, a);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]],
      size = length(n) || 1;
    face.push(n.map((x) => x / size));
    middle.push([0, 1, 2].map((k) => (a[k] + b[k] + c[k]) / 3));
  }
  const out = { position: [], faceA: [], faceB: [], middleA: [], middleB: [], end: [] };
  const add = (point, f, g, end) => {
    out.position.push(...p.subarray(3 * point, 3 * point + 3));
    out.faceA.push(...face[f]);
    out.faceB.push(...face[g]);
    out.middleA.push(...middle[f]);
    out.middleB.push(...middle[g]);
    out.end.push(end);
  };
  for (let t = 0; t < triangles; t++) for (let k = 0; k < 3; k++) add(corner[3 * t + k], t, t, -1);
  const edges = new Map();
  for (let t = 0; t < triangles; t++)
    for (let k = 0; k < 3; k++) {
      const a = corner[3 * t + k],
        b = corner[3 * t + ((k + 1) % 3)];
      const key = Math.min(a, b) * 4294967296 + Math.max(a, b),
        other = edges.get(key);
      if (other === undefined) edges.set(key, t);
      else
        for (const [point, end] of [
          [a, 0],
          [b, 0],
          [b, 1],
          [a, 0],
          [b, 1],
          [a, 1],
        ])
          add(point, other, t, end);
    }
  return Object.fromEntries(
    Object.entries(out).map(([name, list]) => [name, new THREE.Float32BufferAttribute(list, name === 'end' ? 1 : 3)]),
  );
}

const OUTLINE_VERTEX = `
  attribute vec4 row0, row1, row2;
  void main() {
    vec4 q = vec4(position, 1.0);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(dot(row0, q), dot(row1, q), dot(row2, q), 1.0);
  }`;

const PLAIN_FRAGMENT = `
  uniform vec3 color;
  uniform float opacity;
  void main() { gl_FragColor = vec4(color, opacity); }`;

function makeOutlineMaterial(color, opacity) {
  return new THREE.ShaderMaterial({
    vertexShader: OUTLINE_VERTEX,
    fragmentShader: PLAIN_FRAGMENT,
    uniforms: { color: { value: color }, opacity: { value: opacity } },
    transparent: true,
    depthWrite: false,
  });
}

/* --- contact points: smaller where what touches is small -------------------------------------------------------------- */

const CONTACT_VERTEX = `
  attribute float reach;
  uniform float pixels, perPixel;
  varying float size;
  void main() {
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    size = clamp(0.5 * reach / (perPixel * -seen.z), 0.36 * pixels, pixels);
    gl_PointSize = size;
    gl_Position = projectionMatrix * seen;
  }`;

const CONTACT_FRAGMENT = `
  uniform vec3 color, rim;
  uniform float opacity;
  varying float size;
  void main() {
    float r = length(gl_PointCoord - 0.5) * size, edge = size * 0.5 - 0.7;
    float inner = edge - max(0.9, size * 0.14);
    vec3 paint = mix(color, rim, smoothstep(inner - 0.6, inner + 0.6, r));
    gl_FragColor = vec4(paint, opacity * (1.0 - smoothstep(edge - 0.6, edge + 0.7, r)));
  }`;

function makeContactMaterial(color, rim, opacity, depthTest) {
  return new THREE.ShaderMaterial({
    vertexShader: CONTACT_VERTEX,
    fragmentShader: CONTACT_FRAGMENT,
    uniforms: {
      color: { value: color },
      rim: { value: rim },
      opacity: { value: opacity },
      pixels: { value: 11 },
      perPixel: { value: 1 },
    },
    transparent: true,
    depthWrite: false,
    depthTest,
  });
}

/* --- bursts: where something was hit just now ------------------------------------------------------------------------ */

const BURST_VERTEX = `
  attribute float age, reach; /* age: 0 … 1 */
  uniform float pixels, perPixel;
  varying float past, size;
  void main() {
    past = age;
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    size = clamp(1.6 * reach / (perPixel * -seen.z), 0.3 * pixels, pixels) * (0.55 + 0.9 * age);
    gl_PointSize = size;
    gl_Position = projectionMatrix * seen;
  }`;

const BURST_FRAGMENT = `
  uniform vec3 color;
  varying float past, size;
  void main() {
    float r = length(gl_PointCoord - 0.5) * size, edge = size * 0.5 - 1.0;
    float wide = mix(size * 0.16, 1.5, past);
    float ring = 1.0 - smoothstep(wide * 0.5 - 0.7, wide * 0.5 + 0.9, abs(r - edge + wide * 0.5));
    gl_FragColor = vec4(color, ring * (1.0 - 0.75 * past));
  }`;

function makeBurstMaterial(color) {
  return new THREE.ShaderMaterial({
    vertexShader: BURST_VERTEX,
    fragmentShader: BURST_FRAGMENT,
    uniforms: { color: { value: color }, pixels: { value: 30 }, perPixel: { value: 1 } },
    transparent: true,
    depthWrite: false,
    depthTest: false,
  });
}

/* --- dots: an object smaller than a few pixels is still seen -------------------------------------------------------- */

const DOT_VERTEX = `
  attribute float part, radius;
  uniform sampler2D state;
  uniform vec2 stateSize;
  uniform float pixels, perPixel;
  varying vec4 tint;
  vec4 stateOf(float texel) {
    float row = floor(texel / stateSize.x);
    return texture2D(state, (vec2(texel - row * stateSize.x, row) + 0.5) / stateSize);
  }
  void main() {
    float mode = floor(stateOf(2.0 * part + 1.0).r * 255.0 + 0.5);
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    tint = stateOf(2.0 * part);
    if (mode > 1.5) tint.a *= 0.6;
    gl_PointSize = pixels;
    gl_Position = projectionMatrix * seen;
    if (mode < 0.5 || radius > 0.45 * pixels * perPixel * -seen.z) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const DOT_FRAGMENT = `
  uniform vec3 rim;
  uniform float pixels;
  varying vec4 tint;
  void main() {
    float r = length(gl_PointCoord - 0.5) * pixels, edge = 0.5 * pixels - 0.7;
    vec3 paint = mix(tint.rgb, rim, 0.5 * smoothstep(edge - 1.6, edge - 0.6, r));
    gl_FragColor = vec4(paint, tint.a * (1.0 - smoothstep(edge - 0.6, edge + 0.7, r)));
  }`;

function makeDotMaterial(common, rim) {
  return new THREE.ShaderMaterial({
    vertexShader: DOT_VERTEX,
    fragmentShader: DOT_FRAGMENT,
    uniforms: { state: common.state, stateSize: common.stateSize, pixels: { value: 8 }, perPixel: { value: 1 }, rim: { value: rim } },
    transparent: true,
  });
}
