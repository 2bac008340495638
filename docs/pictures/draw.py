#!/usr/bin/env python3
"""Draws the SVG pictures of the method pages next to this file. Needs nothing but Python 3."""

import math
import pathlib

INK, PALE, BLUE, RED, GREEN = "#222222", "#999999", "#2f6db3", "#c0392b", "#3a8f4d"
FOLDER = pathlib.Path(__file__).parent


class Picture:
    """A canvas of `width` x `height` points with y downwards."""

    def __init__(self, width, height):
        self.size, self.parts = (width, height), []

    def add(self, text):
        self.parts.append(text)

    def line(self, points, colour=INK, width=1.5, dash="", arrow=False):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        end = ' marker-end="url(#arrow)"' if arrow else ""
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}{end}/>')

    def circle(self, x, y, r, fill="none", colour=INK, width=1.5):
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{fill}" stroke="{colour}" stroke-width="{width}"/>')

    def box(self, x, y, w, h, fill="none", colour=INK, width=1.5, round=0):
        self.add(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{round}" fill="{fill}" '
            f'stroke="{colour}" stroke-width="{width}"/>'
        )

    def text(self, x, y, words, colour=INK, size=14, anchor="start"):
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" text-anchor="{anchor}">{words}</text>')

    def save(self, name):
        width, height = self.size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="sans-serif">\n<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        )
        (FOLDER / name).write_text(head + "\n".join(self.parts) + "\n</svg>\n")


def axes(p, x, y, w, h, across, up):
    p.line([(x, y), (x + w, y)], arrow=True)
    p.line([(x, y), (x, y - h)], arrow=True)
    p.text(x + w, y + 18, across, anchor="end")
    p.text(x + 6, y - h + 4, up)


def impact(restitution, tension):
    """Overlap and force of a head-on impact with unit mass, stiffness and speed; the closed form for the damping."""
    log = math.log(restitution)
    damping = -2.0 * log / math.sqrt(math.pi**2 + log**2)
    overlap, speed, dt, curve = 0.0, 1.0, 1e-3, []
    while True:
        force = overlap + damping * speed
        if not tension:
            force = max(force, 0.0)
        if overlap < 0.0 or (not tension and force == 0.0 and speed < 0.0):
            return curve[::20] + curve[-1:]
        curve.append((overlap, force))
        speed -= force * dt
        overlap += speed * dt


def contact_laws():
    p = Picture(760, 330)
    x, y, scale = 50, 250, 190
    axes(p, x, y, 260, 205, "overlap", "normal force")
    p.line([(x + o * scale, y - f * scale) for o, f in impact(0.5, True)], BLUE, 2.5)
    p.line([(x, y), (x + 0.95 * scale, y - 0.95 * scale)], PALE, 1.2, "4 4")
    p.text(x + 0.97 * scale, y - 0.97 * scale - 4, "spring", PALE)
    p.text(x + 40, y - 160, "approach", BLUE, anchor="middle")
    p.text(x + 130, y - 30, "rebound", BLUE)
    p.text(x + 12, y + 42, "below zero: the dashpot pulls (tension kept)", BLUE, 12)
    p.text(x, 20, "linear spring-dashpot, restitution 0.5", size=15)
    x, slope_in, slope_out = 430, 1.0, 0.25
    axes(p, x, y, 260, 205, "overlap", "normal force")
    top = (x + 200, y - 200 * slope_in)
    low = (x + 200, y - 200 * slope_out)
    p.add(f'<polygon points="{x},{y} {top[0]},{top[1]} {low[0]},{low[1]}" fill="#f6dedb"/>')
    p.line([(x, y), top], RED, 2.5)
    p.line([top, low], RED, 2.5)
    p.line([low, (x, y)], RED, 2.5)
    p.text(x + 60, y - 120, "k_in", RED, anchor="end")
    p.text(x + 130, y - 14, "k_out = e² k_in", RED)
    p.text(x + 122, y - 78, "lost", RED)
    p.text(x, 20, "hysteretic, restitution 0.5", size=15)
    p.text(x, y + 42, "the shaded area is lost while loading", RED, 12)
    p.save("contact_laws.svg")


def theta_scheme():
    p = Picture(760, 300)
    x, step = 70, 270
    p.text(20, 24, "theta = 0.5: contacts are found half a step after the position", size=15)
    p.line([(x - 30, 150), (x + 2 * step + 90, 150)], arrow=True)
    p.text(x + 2 * step + 90, 172, "time", anchor="end")
    for k in range(3):
        at = x + k * step
        p.circle(at, 150, 6, fill=BLUE, colour=BLUE)
        p.text(at, 178, ["x, v", "x', v'", "x'', v''"][k], BLUE, anchor="middle")
        if k < 2:
            mid = at + step / 2
            p.circle(mid, 150, 6, fill="#ffffff", colour=RED, width=2.5)
            p.text(mid, 128, ["x*", "x*'"][k], RED, anchor="middle")
            p.text(mid, 84, ["gaps, gravity,", "gaps, gravity,"][k], RED, 12, "middle")
            p.text(mid, 100, "contacts, impulses", RED, 12, "middle")
    p.add(f'<path d="M{x + 0.5 * step + 8} 156 C {x + 0.8 * step} 230, {x + 1.2 * step} 230, {x + 1.5 * step - 8} 158" '
          f'fill="none" stroke="{RED}" stroke-width="2" marker-end="url(#arrow)"/>')
    p.text(x + step, 236, "x*' = x* + h v'", RED, anchor="middle")
    p.text(20, 276, "kept: x* = x + (1 - theta) h v.   shown: x = x* - (1 - theta) h v.   A gap closes by exactly h u_n.", size=13)
    p.save("theta_scheme.svg")


def coupling_loop():
    p = Picture(760, 290)
    width, left = 150, 110
    p.text(20, 24, "A free asteroid: the host books interval i while the device steps interval i + 1", size=15)
    for row, name in ((80, "device"), (190, "host")):
        p.text(20, row + 28, name, PALE)
    for k in range(4):
        x = left + k * (width + 8)
        p.box(x, 60, width, 56, "#e4eefa", BLUE, round=4)
        tail = "" if k == 0 else f" + {k}"
        p.text(x + width / 2, 82, f"interval i{tail}", BLUE, anchor="middle")
        p.text(x + width / 2, 102, "steps; sums the pushes", BLUE, 11, "middle")
    for k in range(1, 4):
        x = left + k * (width + 8)
        tail = "" if k == 1 else f" + {k - 1}"
        p.box(x, 172, width, 56, "#fbe9e7", RED, round=4)
        p.text(x + width / 2, 194, f"books i{tail}", RED, anchor="middle")
        p.text(x + width / 2, 214, "moves the asteroid", RED, 11, "middle")
        p.line([(x - 12, 118), (x + 24, 170)], arrow=True)
        if k < 3:
            p.line([(x + width - 12, 170), (x + width + 24, 118)], arrow=True)
    p.text(left, 150, "sums of integers", PALE, 12)
    p.text(left + width + 70, 150, "frame of i + 2", PALE, 12)
    p.text(20, 268, "Momenta are exact at every instant; the frame follows one to two intervals late, and no step waits.", size=13)
    p.save("coupling_loop.svg")


def hash_levels():
    p = Picture(760, 330)
    p.text(20, 24, "A body is entered in the finest level whose largest radius holds its own", size=15)
    bodies = [(60, 60, 52), (150, 150, 24), (40, 165, 11), (170, 70, 12), (120, 25, 10), (182, 185, 9), (86, 172, 13)]
    levels = [("level 0: small bodies", 28, lambda r: r < 14), ("level 1", 56, lambda r: 14 <= r < 28), ("level 2: boulders", 112, lambda r: r >= 28)]
    for k, (name, cell, here) in enumerate(levels):
        x0, y0, side = 25 + k * 245, 70, 224
        p.text(x0, y0 - 12, name)
        for i in range(int(side / cell) + 1):
            p.line([(x0 + i * cell, y0), (x0 + i * cell, y0 + side)], "#cccccc", 0.8)
            p.line([(x0, y0 + i * cell), (x0 + side, y0 + i * cell)], "#cccccc", 0.8)
        for x, y, r in bodies:
            if here(r):
                i, j = int(x / cell), int(y / cell)
                p.box(x0 + i * cell, y0 + j * cell, cell, cell, "#fdf3cf", "#d9b640", 1)
        for x, y, r in bodies:
            own = here(r)
            p.circle(x0 + x, y0 + y, r, BLUE if own else "none", BLUE if own else "#bbbbbb", 1.2)
    p.text(20, 318, "Key: a hash of cell and level. A search looks into the cells around a body on every occupied level.", size=13)
    p.save("hash_levels.svg")


for draw in (contact_laws, theta_scheme, coupling_loop, hash_levels):
    draw()
